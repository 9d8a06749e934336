// Adding what is unknown to a model's state: Augmented<Model, Unknown> is again a Model, so unknowns nest.
// Each kind of unknown is one specialisation in this folder.
#pragma once

namespace tauhat {

template <class M, class Unknown>
struct Augmented;

}  // namespace tauhat
