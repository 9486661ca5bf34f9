#include "number.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <iterator>

#include "flat.h"

namespace addison {

namespace {

// The float types that round to nearest even.
struct Format {
    Kind kind;
    int exponent, mantissa;
    uint64_t overflow;     // the code of what is past the largest
    int64_t largest;       // int that is taken: the largest finite one, or as far as every int is a double
};

constexpr int64_t EXACT = int64_t{1} << 53;

constexpr Format FORMATS[] = {
    {Kind::BF16, 8, 7, 0x7F80, EXACT},         {Kind::F16, 5, 10, 0x7C00, 65504},
    {Kind::F32, 8, 23, 0x7F800000, EXACT},     {Kind::F64, 11, 52, 0x7FF0000000000000, EXACT},
    {Kind::F8E4M3, 4, 3, 0x7F, 448},           {Kind::F8E5M2, 5, 2, 0x7C, 57344},
    {Kind::F4E2M1, 2, 1, 0x07, 6},
};

// The code of a double that is no NaN, rounded once. In integers, so that no control register counts; a double's
// subnormals are below half of every other type's, and f64 takes the double as it is.
uint64_t rounded(double value, const Format& format) {
    uint64_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    if (format.kind == Kind::F64) return bits;
    const uint64_t sign = (bits >> 63) << (format.exponent + format.mantissa);
    const int bias = (1 << (format.exponent - 1)) - 1;
    const int power = static_cast<int>(bits >> 52 & 0x7FF) - 1023;
    if (power > bias + 1) return sign | format.overflow;
    const int below = power < 1 - bias ? 1 - bias - power : 0;       // subnormal: the step stays the same
    const int drop = 52 - format.mantissa + below;
    if (drop > 53) return sign;                                      // less than half of the smallest
    const uint64_t whole = (bits & ((uint64_t{1} << 52) - 1)) | uint64_t{1} << 52;
    const uint64_t kept = whole >> drop, rest = whole & ((uint64_t{1} << drop) - 1), half = uint64_t{1} << (drop - 1);
    const uint64_t steps = kept + (rest > half || (rest == half && kept & 1));
    const uint64_t exponent = static_cast<uint64_t>(power + below + bias - 1) << format.mantissa;
    return sign | std::min(exponent + steps, format.overflow);       // a carry raises the exponent
}

bool float_bits(PyObject* number, const Format& format, uint64_t* code) {
    double value;
    if (PyFloat_CheckExact(number)) {
        value = PyFloat_AS_DOUBLE(number);
        if (std::isnan(value)) return false;
    } else {
        int overflow;
        const long long whole = PyLong_AsLongLongAndOverflow(number, &overflow);
        if (overflow || whole > format.largest || whole < -format.largest) return false;
        value = static_cast<double>(whole);
    }
    *code = rounded(value, format);
    return true;
}

bool whole_bits(PyObject* number, const Element& element, uint64_t* code) {
    if (!PyLong_CheckExact(number)) return false;      // no float becomes an integer by itself
    int overflow;
    const long long value = PyLong_AsLongLongAndOverflow(number, &overflow);
    const bool is_signed = element.name[0] == 'i';
    if (overflow > 0 && element.bits == 64 && !is_signed) {
        *code = PyLong_AsUnsignedLongLong(number);
        if (*code != static_cast<uint64_t>(-1) || !PyErr_Occurred()) return true;
        PyErr_Clear();
        return false;
    }
    if (overflow) return false;
    *code = static_cast<uint64_t>(value);
    if (element.bits == 64) return is_signed || value >= 0;
    const long long span = 1LL << element.bits, least = is_signed ? -(span / 2) : 0;
    return value >= least && value < least + span;
}

}  // namespace

bool number_bits(PyObject* number, const Element& element, char* item) {
    if (!PyFloat_CheckExact(number) && !PyLong_CheckExact(number)) return false;
    uint64_t code;
    const Format* format = std::begin(FORMATS);
    while (format != std::end(FORMATS) && format->kind != element.array) format++;
    const bool whole = element.name[0] == 'i' || element.name[0] == 'u';
    if (whole ? !whole_bits(number, element, &code)
              : format == std::end(FORMATS) || !float_bits(number, *format, &code))
        return false;
    static_assert(std::endian::native == std::endian::little);       // so that the low bytes come first
    std::memcpy(item, &code, sizeof code);
    return true;
}

PyObject* add_number(PyObject* const* args, Py_ssize_t count, PyObject* names) {
    if (count != 2) return nullptr;
    const int at = PyArray_CheckExact(args[0]) ? 0 : 1;
    if (!PyArray_CheckExact(args[at])) return nullptr;
    Call call{reinterpret_cast<PyArrayObject*>(args[at]), nullptr, nullptr, Rule::NUMPY, -1};
    if (names && !(parse_names(call, args + count, names) && call.rule == Rule::NUMPY)) return nullptr;
    const uint8_t element = element_of(call.a);
    alignas(8) char item[8];
    if (element == NO_ELEMENT || !number_bits(args[1 - at], ELEMENTS[element], item)) return nullptr;
    if (call.out && (element_of(call.out) != element || !PyArray_ISWRITEABLE(call.out))) return nullptr;
    Flat flat(call.a);
    if (flat.contiguous && (!call.out || flat.fits(call.out)))
        return add_flat({PyArray_BYTES(call.a), item, true}, call.out, element, flat);
    // Any other layout is planned with the number as an array of rank 0, which nothing keeps.
    PyArray_Descr* const dtype = state.dtypes[element];
    Py_INCREF(dtype);
    PyObject* const number = PyArray_NewFromDescr(&PyArray_Type, dtype, 0, nullptr, nullptr, item, 0, nullptr);
    if (!number) return nullptr;
    call.b = reinterpret_cast<PyArrayObject*>(number);
    PyObject* const sum = add_planned(call, element);
    Py_DECREF(number);
    return sum;
}

}  // namespace addison
