// The files that are linked into the program (tauhat/offline/CMakeLists.txt), so that a report needs no
// other.
#pragma once

#include <string_view>

extern "C" {
extern const char tauhat_plotly_begin[], tauhat_plotly_end[];
extern const char tauhat_report_css_begin[], tauhat_report_css_end[];
extern const char tauhat_report_js_begin[], tauhat_report_js_end[];
}

namespace tauhat::assets {

inline std::string_view plotly() { return {tauhat_plotly_begin, tauhat_plotly_end}; }
inline std::string_view style() { return {tauhat_report_css_begin, tauhat_report_css_end}; }
inline std::string_view script() { return {tauhat_report_js_begin, tauhat_report_js_end}; }

}  // namespace tauhat::assets
