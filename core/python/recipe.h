// A compiled model as the core runs it: values in numbered slots, and the steps that fill them. Types and shapes are
// fixed; a model with dynamic shapes has one recipe for each set of shapes that it is called with.
#pragma once

#include <memory>
#include <variant>
#include <vector>

#include "../chain.h"
#include "call.h"
#include "ref.h"

namespace addison {

struct Recipe {
    struct Slot {
        uint8_t element;
        std::vector<npy_intp> shape;
        intptr_t bytes;

        bool holds(PyObject* value) const;     // whether it is an array of this type and shape
        bool holds_run(PyObject* value) const; // and in C order without gaps
    };
    struct Input {
        std::vector<Ref> names;                // any of them may be given
        int slot;                              // -1: what it would have to be is not known, as nothing needs it
        bool needed;
        bool contiguous;                       // some step reads it, or what an addition made of it, as one run
    };
    struct Constant {
        int slot;
        Ref array;
    };
    struct Add {
        int a, b, to;
        Rule rule;
        long axis;
    };
    struct Chained {
        std::vector<int> from, to;
        std::unique_ptr<Chain> chain;
    };
    struct Convert {
        Ref function;                          // array to array
        int from, to;
    };
    struct Step {
        std::variant<Add, Chained, Convert> what;
        std::vector<int> drop;                 // slots that nobody reads afterwards
    };
    struct Output {
        Ref key;
        int slot;
        bool copied;                           // the value is not this output's alone
    };

    std::vector<Slot> slots;
    std::vector<Input> inputs;
    std::vector<Constant> constants;
    std::vector<Step> steps;
    std::vector<Output> outputs;
};

// Reads what runtime/recipe.py writes:
//   slots      (element, shape), ...
//   inputs     (names, slot, needed, contiguous), ...
//   constants  (slot, array), ...
//   steps      ("add", (a, b, to, rule, axis), drop), ...
//              ("chain", (sizes, ((slot, strides), ...), ((a, b, result), ...), (slot, ...)), drop)
//              ("convert", (function, from, to), drop)
//   outputs    (key, slot, copied), ...
// Null, with a Python error set, when it is not that. What it takes is safe to run, whoever wrote it: every slot is
// filled before it is read, and operands lie within their arrays.
std::unique_ptr<Recipe> read_recipe(PyObject* args);

// Makes the type of compiled models; null with an error set.
PyObject* program_type();

}  // namespace addison
