// A compiled model as the core runs it: values in numbered slots, and the steps that fill them. Types and shapes are
// fixed; a model with dynamic shapes has one recipe for each set of shapes that it is called with.
#pragma once

#include <memory>
#include <vector>

#include "../chain.h"
#include "call.h"
#include "ref.h"

namespace addison {

struct Recipe {
    struct Slot {
        uint8_t element;
        std::vector<npy_intp> shape;

        bool holds(PyObject* value) const;   // whether it is an array of this type and shape
        intptr_t bytes() const;
    };
    struct Input {
        std::vector<Ref> names;              // any of them may be given
        int slot;                            // -1: what it would have to be is not known, as nothing needs it
        bool needed;
    };
    struct Constant {
        int slot;
        Ref array;
    };
    struct Step {
        enum { ADD, CHAIN, CONVERT } kind;
        std::vector<int> from, to;           // slots
        Rule rule = Rule::NUMPY;             // ADD
        long axis = -1;
        std::unique_ptr<Chain> chain = {};   // CHAIN
        Ref function = {};                   // CONVERT: array to array
        std::vector<int> drop = {};          // slots that nobody reads afterwards
    };
    struct Output {
        Ref key;
        int slot;
        bool copied;                         // the value is an input or a constant
    };

    std::vector<Slot> slots;
    std::vector<Input> inputs;
    std::vector<Constant> constants;
    std::vector<Step> steps;
    std::vector<Output> outputs;
};

// Reads what runtime/recipe.py writes:
//   slots      (element, shape), ...
//   inputs     (names, slot, needed), ...
//   constants  (slot, array), ...
//   steps      ("add", (a, b, to, rule, axis), drop), ...
//              ("chain", (sizes, ((slot, strides), ...), ((a, b, result), ...), (slot, ...)), drop)
//              ("convert", (function, from, to), drop)
//   outputs    (key, slot, copied), ...
// Null, with a Python error set, when it is not that.
std::unique_ptr<Recipe> read_recipe(PyObject* args);

// Makes the type of compiled models; null with an error set.
PyObject* program_type();

}  // namespace addison
