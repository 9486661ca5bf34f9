// The module `addison.engines._core`: what native.py is made of.
#define ADDISON_IMPORTS_NUMPY
#include "numpy.h"

#include <cstring>
#include <string>

#include "../add.h"
#include "../cpu.h"
#include "../packed.h"
#include "../pool.h"
#include "../recycler.h"
#include "../tuning.h"
#include "call.h"
#include "recipe.h"
#include "state.h"

namespace addison {

State state;

int find_element(PyObject* name) {
    const char* const text = PyUnicode_AsUTF8(name);
    if (!text) return -1;
    for (int i = 0; i < ELEMENT_COUNT; i++)
        if (std::strcmp(ELEMENTS[i].name, text) == 0) return i;
    PyErr_Format(PyExc_ValueError, "the core has no element type %R", name);
    return -1;
}

namespace {

// sum(element, a, b, out): arrays that are checked and aligned already; NotImplemented for layouts this path does not
// take.
PyObject* sum(PyObject*, PyObject* const* args, Py_ssize_t count) {
    if (count != 4 || !PyArray_CheckExact(args[1]) || !PyArray_CheckExact(args[2])
        || (args[3] != Py_None && !PyArray_CheckExact(args[3]))) {
        PyErr_SetString(PyExc_TypeError, "sum(element, array, array, array or None)");
        return nullptr;
    }
    const int element = find_element(args[0]);
    if (element < 0) return nullptr;
    PyArrayObject* const out = args[3] == Py_None ? nullptr : reinterpret_cast<PyArrayObject*>(args[3]);
    const Call call{reinterpret_cast<PyArrayObject*>(args[1]), reinterpret_cast<PyArrayObject*>(args[2]), out,
                    Rule::NUMPY, -1};
    const int number = state.dtypes[element]->type_num;
    for (PyArrayObject* array : {call.a, call.b, out})
        if (array && (PyArray_DESCR(array)->type_num != number || !PyArray_ISNBO(PyArray_DESCR(array)->byteorder)))
            Py_RETURN_NOTIMPLEMENTED;
    PyObject* const result = add_arrays_as(call, static_cast<uint8_t>(element));
    if (result || PyErr_Occurred()) return result;
    Py_RETURN_NOTIMPLEMENTED;
}

struct View {
    Py_buffer buffer{};
    bool held;
    View(PyObject* object, int flags) : held(PyObject_GetBuffer(object, &buffer, flags) == 0) {}
    ~View() { if (held) PyBuffer_Release(&buffer); }
    char* data() const { return static_cast<char*>(buffer.buf); }
    bool holds(size_t bytes) const { return held && static_cast<size_t>(buffer.len) >= bytes; }
};

// sum_packed(element, a, b, out, elements, one): packed bytes into packed bytes; `one` tells that b is one element.
// False, with nothing written, when out overlaps an operand in another place.
PyObject* sum_packed(PyObject*, PyObject* const* args, Py_ssize_t count) {
    if (count != 6) {
        PyErr_SetString(PyExc_TypeError, "sum_packed(element, a, b, out, elements, one)");
        return nullptr;
    }
    const int found = find_element(args[0]);
    const Py_ssize_t elements = found < 0 ? -1 : PyLong_AsSsize_t(args[4]);
    const int one = PyObject_IsTrue(args[5]);
    if (PyErr_Occurred()) return nullptr;
    const Element& element = ELEMENTS[found];
    const View a(args[1], PyBUF_SIMPLE), b(args[2], PyBUF_SIMPLE), c(args[3], PyBUF_WRITABLE);
    if (PyErr_Occurred()) return nullptr;
    if (elements < 0 || elements > PY_SSIZE_T_MAX / MOST_ITEM_BYTES) {
        PyErr_SetString(PyExc_ValueError, "a number of elements that no buffer holds");
        return nullptr;
    }
    const size_t bytes = packed_bytes(element, static_cast<size_t>(elements));
    const size_t bytes_b = one ? packed_bytes(element, 1) : bytes;
    if (!a.holds(bytes) || !b.holds(bytes_b) || !c.holds(bytes)) {
        PyErr_SetString(PyExc_ValueError, "fewer bytes than the elements take");
        return nullptr;
    }
    if (bytes == 0) Py_RETURN_TRUE;
    const auto apart = [&](const View& x, size_t size) {
        return x.data() + size <= c.data() || c.data() + bytes <= x.data();
    };
    const bool a_fits = a.data() == c.data() || apart(a, bytes);
    const bool b_fits = (!one && b.data() == c.data()) || apart(b, bytes_b);
    if (!a_fits || !b_fits) Py_RETURN_FALSE;
    char item[MOST_ITEM_BYTES];
    if (one) repeat_first(element, b.data(), item);
    const intptr_t size = facts(element.packed).size;
    Plan plan;
    plan.level = state.level;
    plan.kind = element.packed;
    plan.traffic = static_cast<intptr_t>(2 * bytes + bytes_b);
    plan.layout.rank = 1;
    plan.layout.axes[0] = {static_cast<intptr_t>(bytes) / size, size, one ? 0 : size, size};
    plan.layout.a = a.data();
    plan.layout.b = one ? item : b.data();
    plan.layout.c = c.data();
    make_plan(plan, true);
    bool done;
    Py_BEGIN_ALLOW_THREADS
    done = carry_out(plan);
    Py_END_ALLOW_THREADS
    if (!done) return PyErr_NoMemory();
    clear_padding(element, c.data(), static_cast<size_t>(elements));
    Py_RETURN_TRUE;
}

PyObject* level_names(PyObject*, PyObject*) {
    PyObject* const list = PyList_New(0);
    for (const Choice* one = levels(); list && one->level; one++) {
        PyObject* const pair = Py_BuildValue("(sO)", one->level->name, one->runs_here ? Py_True : Py_False);
        if (!pair || PyList_Append(list, pair) < 0) { Py_XDECREF(pair); Py_DECREF(list); return nullptr; }
        Py_DECREF(pair);
    }
    return list;
}

// start(level, {element: dtype}, aliases, fallback, doc): makes `add`. The level must be one that runs here.
PyObject* start(PyObject*, PyObject* args) {
    const char *name, *doc;
    PyObject *dtypes, *fallback;
    if (!PyArg_ParseTuple(args, "sO!Os", &name, &PyList_Type, &dtypes, &fallback, &doc)) return nullptr;
    const Level* chosen = nullptr;
    for (const Choice* one = levels(); one->level; one++)
        if (one->runs_here && std::strcmp(one->level->name, name) == 0) chosen = one->level;
    if (!chosen) return PyErr_Format(PyExc_ValueError, "level %s does not run on this machine", name);
    std::memset(state.by_number, NO_ELEMENT, sizeof state.by_number);
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(dtypes); i++) {
        PyObject *text, *dtype;
        int makes;      // whether new results have this dtype
        int reads;      // whether arrays of this dtype are of this element type
        if (!PyArg_ParseTuple(PyList_GET_ITEM(dtypes, i), "OO!pp", &text, &PyArrayDescr_Type, &dtype, &makes, &reads))
            return nullptr;
        const int element = find_element(text);
        if (element < 0) return nullptr;
        auto* const descr = reinterpret_cast<PyArray_Descr*>(dtype);
        if (PyDataType_ELSIZE(descr) != facts(ELEMENTS[element].array).size || descr->type_num < 0
            || descr->type_num >= TYPE_NUMBERS)
            return PyErr_Format(PyExc_ValueError, "%R is not a dtype of %U that the core can add", dtype, text);
        if (reads) state.by_number[descr->type_num] = static_cast<uint8_t>(element);
        if (makes) {
            Py_INCREF(dtype);
            Py_XSETREF(state.dtypes[element], descr);
        }
    }
    for (PyArray_Descr* dtype : state.dtypes)
        if (!dtype) return PyErr_Format(PyExc_ValueError, "an element type has no dtype");
    state.level = chosen;
    if (!likes_prefetch()) tuning.ahead = PTRDIFF_MAX;
    Py_INCREF(fallback);
    Py_XSETREF(state.fallback, fallback);
    static std::string signature;     // the method keeps pointers into both
    static PyMethodDef method;
    signature = std::string("add(a, b, /, *, auto_broadcast='numpy', axis=-1, out=None)\n--\n\n") + doc;
    method = {"add", reinterpret_cast<PyCFunction>(reinterpret_cast<void*>(add)), METH_FASTCALL | METH_KEYWORDS,
              signature.c_str()};
    PyObject* const module = PyUnicode_FromString("addison");
    PyObject* const function = module ? PyCFunction_NewEx(&method, nullptr, module) : nullptr;
    Py_XDECREF(module);
    return function;
}

PyObject* set_threads_py(PyObject*, PyObject* number) {
    const long wanted = PyLong_AsLong(number);
    if (wanted == -1 && PyErr_Occurred()) return nullptr;
    return PyLong_FromLong(set_threads(wanted > 1 << 16 ? 1 << 16 : static_cast<int>(wanted < 0 ? 0 : wanted)));
}

PyObject* trim_py(PyObject*, PyObject*) { return PyLong_FromSize_t(trim()); }

PyObject* set_recycling_limit_py(PyObject*, PyObject* number) {
    size_t bytes = default_recycling_limit();
    if (number != Py_None) {
        bytes = PyLong_AsSize_t(number);
        if (bytes == static_cast<size_t>(-1) && PyErr_Occurred()) return nullptr;
    }
    set_recycling_limit(bytes);
    return PyLong_FromSize_t(bytes);
}

PyObject* status(PyObject*, PyObject*) {
    return Py_BuildValue("{s:s,s:i,s:n,s:n}", "level", state.level ? state.level->name : "", "threads", threads(),
                         "recycling_limit", static_cast<Py_ssize_t>(recycling_limit()), "bytes_kept",
                         static_cast<Py_ssize_t>(bytes_kept()));
}

// tune(name, bytes): a threshold, for tests; returns what it was.
PyObject* tune(PyObject*, PyObject* args) {
    const char* name;
    Py_ssize_t value;
    if (!PyArg_ParseTuple(args, "sn", &name, &value)) return nullptr;
    struct { const char* name; intptr_t* at; } const knobs[] = {
        {"chunk", &tuning.chunk}, {"row", &tuning.row}, {"streamed_row", &tuning.streamed_row},
        {"tile", &tuning.tile}, {"long_tile", &tuning.long_tile},
        {"block", &tuning.block}, {"chain_row", &tuning.chain_row}, {"chain_ahead", &tuning.chain_ahead},
        {"in_level1", &tuning.in_level1}, {"far", &tuning.far},
        {"far_block", &tuning.far_block}, {"in_level2", &tuning.in_level2}, {"least_block", &tuning.least_block},
        {"ahead", &tuning.ahead}, {"stream", &tuning.stream}, {"share_spinning", &tuning.share_spinning},
        {"share_far", &tuning.share_far}, {"share_parked", &tuning.share_parked},
        {"piece", &tuning.piece}, {"unlock", &tuning.unlock}, {"recycle", &tuning.recycle},
    };
    for (const auto& knob : knobs) {
        if (std::strcmp(knob.name, name) != 0) continue;
        const intptr_t before = *knob.at;
        *knob.at = value < 1 ? 1 : value;
        return PyLong_FromSsize_t(before);
    }
    return PyErr_Format(PyExc_ValueError, "there is no threshold %s", name);
}

PyCFunction fast(_PyCFunctionFast function) { return reinterpret_cast<PyCFunction>(reinterpret_cast<void*>(function)); }

PyMethodDef METHODS[] = {
    {"levels", level_names, METH_NOARGS, "Every level this build has and whether it runs here, the best first."},
    {"start", start, METH_VARARGS, "Picks a level and returns `add`."},
    {"sum", fast(sum), METH_FASTCALL, "The sum of two checked arrays."},
    {"sum_packed", fast(sum_packed), METH_FASTCALL, "The sum of packed bytes."},
    {"set_threads", set_threads_py, METH_O, "How many threads add; 0 is one for each CPU."},
    {"trim", trim_py, METH_NOARGS, "Frees the result buffers kept; returns how many bytes."},
    {"set_recycling_limit", set_recycling_limit_py, METH_O, "The most bytes of buffers kept; None is the default."},
    {"status", status, METH_NOARGS, "Level, threads, and what is kept."},
    {"tune", tune, METH_VARARGS, "Sets a threshold, for tests."},
    {nullptr, nullptr, 0, nullptr},
};

PyModuleDef MODULE = {PyModuleDef_HEAD_INIT, "_core", "Addition in C++.", -1, METHODS, nullptr, nullptr, nullptr,
                      nullptr};

}  // namespace

}  // namespace addison

PyMODINIT_FUNC PyInit__core() {
    using addison::state;
    import_array();
    state.out = PyUnicode_InternFromString("out");
    state.auto_broadcast = PyUnicode_InternFromString("auto_broadcast");
    state.axis = PyUnicode_InternFromString("axis");
    state.numpy = PyUnicode_InternFromString("numpy");
    state.none = PyUnicode_InternFromString("none");
    state.pdpd = PyUnicode_InternFromString("pdpd");
    if (PyErr_Occurred()) return nullptr;
    addison::Ref module = addison::Ref::owned(PyModule_Create(&addison::MODULE));
    const addison::Ref type = addison::Ref::owned(module ? addison::program_type() : nullptr);
    if (!type || PyModule_AddObjectRef(module.get(), "Program", type.get()) < 0) return nullptr;
    return module.release();
}
