// Values stored by an independent program beside the script that made them (tests/oracle).
#pragma once

#include <Eigen/Core>

#include <fstream>
#include <map>
#include <stdexcept>
#include <string>

namespace tauhat {

using OracleValues = std::map<std::string, Eigen::MatrixXd>;

// The file's blocks "name rows columns" and the elements row by row.
inline OracleValues read_oracle(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error("cannot open the oracle's values: " + path);
  OracleValues values;
  std::string name;
  Eigen::Index rows = 0, columns = 0;
  while (file >> name >> rows >> columns) {
    Eigen::MatrixXd matrix(rows, columns);
    for (Eigen::Index i = 0; i < rows; ++i) {
      for (Eigen::Index j = 0; j < columns; ++j) file >> matrix(i, j);
    }
    if (!file) throw std::runtime_error(path + ": block " + name + " is cut short");
    values[name] = matrix;
  }
  return values;
}

}  // namespace tauhat
