// The type of compiled models. A call takes what is in order, arrays of just the types and shapes that the recipe was
// made for, and answers NotImplemented to everything else, which Python then takes or refuses.
#include <memory>

#include "recipe.h"
#include "result.h"
#include "state.h"
#include "unlocked.h"

#include <structmember.h>   // Python.h has it from 3.12 on

namespace addison {

namespace {

struct Program {
    PyObject_HEAD
    vectorcallfunc call;
    Recipe* recipe;
};

enum class Outcome { DONE, NOT_TAKEN, FAILED };   // FAILED: an error is set

// The values of one call.
class Values {
  public:
    explicit Values(const Recipe& recipe) : recipe_(recipe) {
        if (recipe.slots.size() > FEW) many_ = std::make_unique<Ref[]>(recipe.slots.size());
        for (const Recipe::Constant& one : recipe.constants) (*this)[one.slot] = Ref::shared(one.array.get());
    }

    Ref& operator[](int slot) { return many_ ? many_[slot] : few_[slot]; }

    Outcome take_inputs(PyObject* given) {
        if (PyDict_CheckExact(given)) return take_mapping(given);
        if (PyList_CheckExact(given) || PyTuple_CheckExact(given)) return take_sequence(given);
        return Outcome::NOT_TAKEN;
    }

  private:
    static constexpr size_t FEW = 24;

    bool take(const Recipe::Input& input, PyObject* value) {
        if (input.slot < 0) return false;
        const Recipe::Slot& slot = recipe_.slots[input.slot];
        if (!(input.contiguous ? slot.holds_run(value) : slot.holds(value))) return false;
        (*this)[input.slot] = Ref::shared(value);
        return true;
    }

    Outcome take_sequence(PyObject* given) {
        const auto count = static_cast<size_t>(PySequence_Fast_GET_SIZE(given));
        if (count > recipe_.inputs.size()) return Outcome::NOT_TAKEN;
        for (size_t i = 0; i < recipe_.inputs.size(); i++) {
            const Recipe::Input& input = recipe_.inputs[i];
            if (i < count ? !take(input, PySequence_Fast_GET_ITEM(given, i)) : input.needed) return Outcome::NOT_TAKEN;
        }
        return Outcome::DONE;
    }

    Outcome take_mapping(PyObject* given) {
        Py_ssize_t found = 0;
        for (const Recipe::Input& input : recipe_.inputs) {
            PyObject* value = nullptr;
            for (size_t i = 0; !value && i < input.names.size(); i++) {
                value = PyDict_GetItemWithError(given, input.names[i].get());
                if (!value && PyErr_Occurred()) return Outcome::FAILED;
            }
            if (value ? !take(input, value) : input.needed) return Outcome::NOT_TAKEN;
            found += value != nullptr;
        }
        return found == PyDict_GET_SIZE(given) ? Outcome::DONE : Outcome::NOT_TAKEN;   // a name that no input has
    }

    const Recipe& recipe_;
    Ref few_[FEW];
    std::unique_ptr<Ref[]> many_;
};

// Runs one step. Between two of them other Python code may have run, so that arrays are looked at again: their shape
// and dtype can be set in place.
struct Runner {
    const Recipe& recipe;
    Values& values;

    const Recipe::Slot& slot(int number) const { return recipe.slots[number]; }

    Outcome operator()(const Recipe::Add& step) {
        Ref &a = values[step.a], &b = values[step.b];
        if (!slot(step.a).holds(a.get()) || !slot(step.b).holds(b.get())) return Outcome::NOT_TAKEN;
        const Call call{a.array(), b.array(), nullptr, step.rule, step.axis};
        Ref sum = Ref::owned(add_arrays_as(call, slot(step.to).element));
        if (!sum) return PyErr_Occurred() ? Outcome::FAILED : Outcome::NOT_TAKEN;
        if (!slot(step.to).holds(sum.get())) return Outcome::NOT_TAKEN;
        values[step.to] = std::move(sum);
        return Outcome::DONE;
    }

    Outcome operator()(const Recipe::Chained& step) {
        const char* operands[Chain::MOST_OPERANDS];
        char* results[Chain::MOST_SUMS];
        for (size_t i = 0; i < step.from.size(); i++) {
            const Ref& value = values[step.from[i]];
            if (!slot(step.from[i]).holds_run(value.get())) return Outcome::NOT_TAKEN;
            operands[i] = PyArray_BYTES(value.array());
        }
        bool touched = true;
        for (size_t i = 0; i < step.to.size(); i++) {
            const Recipe::Slot& to = slot(step.to[i]);
            const Result result = new_result(state.dtypes[to.element], static_cast<int>(to.shape.size()),
                                             to.shape.data(), to.bytes, Order::C, nullptr);
            if (!result.array) return Outcome::FAILED;
            touched &= result.touched;
            Ref& value = values[step.to[i]] = Ref::owned(result.array);
            results[i] = PyArray_BYTES(value.array());
        }
        return carry_out(*step.chain, {operands, results, touched});
    }

    Outcome operator()(const Recipe::Convert& step) {
        Ref made = Ref::owned(PyObject_CallOneArg(step.function.get(), values[step.from].get()));
        if (!made) return Outcome::FAILED;
        if (!slot(step.to).holds_run(made.get())) return Outcome::NOT_TAKEN;
        values[step.to] = std::move(made);
        return Outcome::DONE;
    }

  private:
    static Outcome carry_out(const Chain& chain, const Chain::Arrays& arrays) {
        if (!unlocked(chain.work(), [&] { return chain.carry_out(arrays); })) return Outcome::FAILED;
        return chain.work() >= tuning.unlock && PyErr_CheckSignals() < 0 ? Outcome::FAILED : Outcome::DONE;
    }
};

Outcome run_steps(const Recipe& recipe, Values& values, PyObject* progress) {
    Runner runner{recipe, values};
    for (size_t i = 0; i < recipe.steps.size(); i++) {
        const Recipe::Step& step = recipe.steps[i];
        if (progress != Py_None) {
            const Ref told = Ref::owned(PyObject_CallFunction(progress, "nn", i, recipe.steps.size()));
            if (!told) return Outcome::FAILED;
        }
        const Outcome outcome = std::visit(runner, step.what);
        if (outcome != Outcome::DONE) return outcome;
        for (const int slot : step.drop) values[slot] = Ref();
    }
    return Outcome::DONE;
}

PyObject* hand_out(const Recipe& recipe, Values& values) {
    Ref outputs = Ref::owned(PyDict_New());
    if (!outputs) return nullptr;
    for (const Recipe::Output& one : recipe.outputs) {
        Ref value = Ref::shared(values[one.slot].get());
        if (one.copied) {
            PyArray_Descr* const dtype = state.dtypes[recipe.slots[one.slot].element];
            Py_INCREF(dtype);
            value = Ref::owned(PyArray_FromArray(value.array(), dtype, NPY_ARRAY_ENSURECOPY));
        }
        if (!value || PyDict_SetItem(outputs.get(), one.key.get(), value.get()) < 0) return nullptr;
    }
    return outputs.release();
}

PyObject* call(PyObject* self, PyObject* const* args, size_t flags, PyObject* names) {
    const Recipe& recipe = *reinterpret_cast<Program*>(self)->recipe;
    const Py_ssize_t count = PyVectorcall_NARGS(flags);
    if (count < 1 || count > 2 || (names && PyTuple_GET_SIZE(names)))
        return PyErr_Format(PyExc_TypeError, "program(inputs, progress=None)");
    try {
        Values values(recipe);
        Outcome outcome = values.take_inputs(args[0]);
        if (outcome == Outcome::DONE) outcome = run_steps(recipe, values, count == 2 ? args[1] : Py_None);
        if (outcome == Outcome::NOT_TAKEN) Py_RETURN_NOTIMPLEMENTED;
        return outcome == Outcome::DONE ? hand_out(recipe, values) : nullptr;
    } catch (const std::bad_alloc&) {
        return PyErr_NoMemory();
    }
}

PyObject* make(PyTypeObject* type, PyObject* args, PyObject* named) {
    if (named && PyDict_GET_SIZE(named)) return PyErr_Format(PyExc_TypeError, "a recipe is five tuples, by place");
    std::unique_ptr<Recipe> recipe = read_recipe(args);
    if (!recipe) return nullptr;
    PyObject* const self = type->tp_alloc(type, 0);
    if (!self) return nullptr;
    auto* const program = reinterpret_cast<Program*>(self);
    program->call = call;
    program->recipe = recipe.release();
    return self;
}

void destroy(PyObject* self) {
    delete reinterpret_cast<Program*>(self)->recipe;
    PyTypeObject* const type = Py_TYPE(self);
    type->tp_free(self);
    Py_DECREF(type);
}

}  // namespace

PyObject* program_type() {
    static PyMemberDef members[] = {
        {"__vectorcalloffset__", T_PYSSIZET, offsetof(Program, call), READONLY, nullptr},
        {nullptr, 0, 0, 0, nullptr},
    };
    static PyType_Slot slots[] = {
        {Py_tp_new, reinterpret_cast<void*>(make)},
        {Py_tp_dealloc, reinterpret_cast<void*>(destroy)},
        {Py_tp_call, reinterpret_cast<void*>(PyVectorcall_Call)},
        {Py_tp_members, members},
        {Py_tp_doc, const_cast<char*>("A compiled model: program(inputs, progress=None) -> dict or NotImplemented.")},
        {0, nullptr},
    };
    // No garbage collection: what a recipe holds (names, arrays, conversions) refers to no program.
    static PyType_Spec spec = {"addison.engines._core.Program", sizeof(Program), 0,
                               Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_VECTORCALL, slots};
    Ref type = Ref::owned(PyType_FromSpec(&spec));
    const Ref longest = Ref::owned(PyLong_FromLong(Chain::MOST_SUMS));
    if (!type || !longest || PyObject_SetAttrString(type.get(), "LONGEST_CHAIN", longest.get()) < 0) return nullptr;
    return type.release();
}

}  // namespace addison
