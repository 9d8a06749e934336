// Fixed-lag smoother for a control loop or a stream: x(k-L | k), at a cost that does not grow with the lag L.
//
// The instants k-L+1 ... k are three stretches (adjoint_map.hpp): the rest of an oldest block, a whole middle block and
// the beginning of a newest one, m = ceil(L/2) instants a block.
//     [ oldest: a left ][ middle: m ][ newest: c ]      a + m + c = L
// Each step appends one instant to the newest block's product, and extends by one the products "from here to the end"
// of the middle block, which is therefore ready just when it becomes the oldest. (The two-stack form would do that at
// once, every L steps.) Every step does the same work; memory is taken by the constructor alone.
#pragma once

#include <array>
#include <cstddef>
#include <utility>
#include <vector>

#include "tauhat/core/filters/adjoint_map.hpp"

namespace tauhat {

template <class T, int N>
class FixedLag {
 public:
  using Map = AdjointMap<T, N>;
  using Belief = Gaussian<T, N>;

  // At least one sample.
  explicit FixedLag(std::size_t lag) : lag_(lag > 0 ? lag : 1), block_((lag_ + 1) / 2), posterior_(lag_ + 1) {
    for (auto* maps : {&oldest_, &middle_, &newest_}) maps->resize(block_);
  }

  std::size_t lag() const noexcept { return lag_; }
  std::size_t samples() const noexcept { return samples_; }

  void reset() noexcept {
    samples_ = filled_ = 0, suffixes_ = 1;
    middle_total_ = newest_total_ = Map{};
  }

  // One more instant: the transition that led to it, its corrections, the belief x(k|k) after them. Returns whether
  // x(k-L|k) is there.
  bool push(const PaddedMatrix<T, N>& transition, std::span<const CorrectionRecord<T, N>> corrections,
            const Belief& posterior) noexcept {
    posterior_[samples_ % posterior_.size()] = posterior;
    if (samples_++ > 0) append(Map(transition, corrections));
    return samples_ > lag_;
  }

  // x(k-age | k) of the instant `age` samples ago. An age of the lag is always possible; others once no more instants
  // will come, after finish().
  Belief smoothed(std::size_t age) const noexcept {
    Belief belief = posterior_[(samples_ - 1 - age) % posterior_.size()];
    following(age).smooth(belief);
    return belief;
  }
  Belief smoothed() const noexcept { return smoothed(lag_); }

  // The end of the record: instants younger than the lag get what there is. No push() after it.
  void finish() noexcept {
    while (suffixes_ < block_) extend_suffix();
    for (std::size_t i = filled_; i-- > 1;) newest_[i - 1] = newest_[i - 1].followed_by(newest_[i]);
  }

 private:
  void append(const Map& instant) noexcept {
    newest_[filled_++] = instant;
    newest_total_ = newest_total_.followed_by(instant);
    if (suffixes_ < block_) extend_suffix();
    if (filled_ < block_) return;
    // The middle block's suffixes are complete: it is the oldest now.
    std::swap(oldest_, middle_);
    std::swap(middle_, newest_);
    middle_total_ = newest_total_;
    newest_total_ = Map{};
    filled_ = 0;
    suffixes_ = 1;
  }

  // middle[i] becomes the product of i ... end, one i a step, from the end.
  void extend_suffix() noexcept {
    const std::size_t i = block_ - ++suffixes_;
    middle_[i] = middle_[i].followed_by(middle_[i + 1]);
  }

  // The last `age` instants as one map; its A is of no use.
  Map following(std::size_t age) const noexcept {
    if (age <= filled_) return age == 0 ? Map{} : newest_[filled_ - age];
    Map all = newest_total_;
    if (age <= filled_ + block_) {
      all.absorb(middle_[block_ - (age - filled_)]);
      return all;
    }
    all.absorb(middle_total_);
    all.absorb(oldest_[2 * block_ - (age - filled_)]);
    return all;
  }

  std::size_t lag_, block_;
  std::size_t samples_ = 0, filled_ = 0, suffixes_ = 1;
  std::vector<Belief> posterior_;
  std::vector<Map> oldest_, middle_, newest_;
  Map middle_total_, newest_total_;
};

}  // namespace tauhat
