#include "call.h"

namespace addison {

namespace {

// Interned names are the same object nearly always; a name built at run time is equal without being the same.
bool same_text(PyObject* text, PyObject* known) {
    return text == known || (PyUnicode_CheckExact(text) && PyUnicode_Compare(text, known) == 0);
}

bool parse_rule(Call& call, PyObject* value) {
    if (same_text(value, state.numpy)) call.rule = Rule::NUMPY;
    else if (same_text(value, state.none)) call.rule = Rule::NONE;
    else if (same_text(value, state.pdpd)) call.rule = Rule::PDPD;
    else return false;
    return true;
}

bool parse_axis(Call& call, PyObject* value) {
    if (!PyLong_CheckExact(value)) return false;   // a bool is refused, an __index__ is the Python function's
    int overflow;
    call.axis = PyLong_AsLongAndOverflow(value, &overflow);
    return overflow == 0;
}

bool parse_out(Call& call, PyObject* value) {
    if (value == Py_None) return true;
    if (!PyArray_CheckExact(value)) return false;
    call.out = reinterpret_cast<PyArrayObject*>(value);
    return true;
}

}  // namespace

bool parse_names(Call& call, PyObject* const* values, PyObject* names) {
    const Py_ssize_t named = PyTuple_GET_SIZE(names);
    for (Py_ssize_t i = 0; i < named; i++) {
        PyObject* const name = PyTuple_GET_ITEM(names, i);
        const bool understood = same_text(name, state.out)              ? parse_out(call, values[i])
                                : same_text(name, state.auto_broadcast) ? parse_rule(call, values[i])
                                : same_text(name, state.axis)           ? parse_axis(call, values[i])
                                                                        : false;
        if (!understood) return false;
    }
    return call.rule == Rule::PDPD || call.axis == -1;
}

}  // namespace addison
