// Adding what is unknown to a model's state: Augmented<Model, Unknown> is again a Model, so unknowns nest.
// Each kind of unknown is one specialisation in this folder.
#pragma once

#include "tauhat/core/model.hpp"

namespace tauhat {

template <class M, class Unknown>
struct Augmented;

// The inner model's inputs: those that are given, with the free one put back at its place.
template <class M>
InputOf<M> with_input(int free, const Vector<typename M::Scalar, M::kInputs - 1>& given,
                      const typename M::Scalar& value) {
  InputOf<M> all;
  for (int i = 0, from = 0; i < M::kInputs; ++i) all[i] = i == free ? value : given[from++];
  return all;
}

}  // namespace tauhat
