#include "recipe.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <new>
#include <numeric>
#include <stdexcept>
#include <string>

#include "state.h"

namespace addison {

bool Recipe::Slot::holds(PyObject* value) const {
    if (!PyArray_CheckExact(value)) return false;
    auto* const array = reinterpret_cast<PyArrayObject*>(value);
    return element_of(array) == element && PyArray_NDIM(array) == static_cast<int>(shape.size())
        && std::equal(shape.begin(), shape.end(), PyArray_DIMS(array));
}

intptr_t Recipe::Slot::bytes() const {
    return std::accumulate(shape.begin(), shape.end(), intptr_t{facts(ELEMENTS[element].array).size},
                           std::multiplies<>());
}

namespace {

struct PythonError {};   // thrown when a Python error is set

template <class Take>
void each(PyObject* tuple, Take take) {
    if (!PyTuple_Check(tuple)) throw std::invalid_argument("a recipe is made of tuples");
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(tuple); i++) take(PyTuple_GET_ITEM(tuple, i));
}

template <class... Targets>
void unpack(PyObject* tuple, const char* format, Targets... targets) {
    if (!PyTuple_Check(tuple)) throw std::invalid_argument("a recipe is made of tuples");
    if (!PyArg_ParseTuple(tuple, format, targets...)) throw PythonError();
}

std::vector<intptr_t> numbers(PyObject* tuple) {
    std::vector<intptr_t> all;
    each(tuple, [&](PyObject* one) {
        all.push_back(PyLong_AsSsize_t(one));
        if (PyErr_Occurred()) throw PythonError();
    });
    return all;
}

class Reader {
  public:
    std::unique_ptr<Recipe> read(PyObject* args) {
        PyObject *slots, *inputs, *constants, *steps, *outputs;
        unpack(args, "OOOOO", &slots, &inputs, &constants, &steps, &outputs);
        each(slots, [&](PyObject* one) { read_slot(one); });
        each(inputs, [&](PyObject* one) { read_input(one); });
        each(constants, [&](PyObject* one) { read_constant(one); });
        each(steps, [&](PyObject* one) { read_step(one); });
        each(outputs, [&](PyObject* one) { read_output(one); });
        return std::move(recipe_);
    }

  private:
    int slot(intptr_t number) const {
        if (number < 0 || number >= static_cast<intptr_t>(recipe_->slots.size()))
            throw std::invalid_argument("a slot that there is not");
        return static_cast<int>(number);
    }

    std::vector<int> slots_of(PyObject* tuple) const {
        std::vector<int> all;
        for (const intptr_t one : numbers(tuple)) all.push_back(slot(one));
        return all;
    }

    void read_slot(PyObject* item) {
        PyObject *name, *shape;
        unpack(item, "OO", &name, &shape);
        const int element = find_element(name);
        if (element < 0) throw PythonError();
        std::vector<intptr_t> sizes = numbers(shape);
        if (sizes.size() > MAX_RANK || std::any_of(sizes.begin(), sizes.end(), [](intptr_t one) { return one < 0; }))
            throw std::invalid_argument("a shape that no array has");
        recipe_->slots.push_back({static_cast<uint8_t>(element), {sizes.begin(), sizes.end()}});
    }

    void read_input(PyObject* item) {
        PyObject* names;
        int number, needed;
        unpack(item, "Oip", &names, &number, &needed);
        Recipe::Input input{{}, number < 0 ? -1 : slot(number), needed != 0};
        each(names, [&](PyObject* name) { input.names.push_back(Ref::shared(name)); });
        recipe_->inputs.push_back(std::move(input));
    }

    void read_constant(PyObject* item) {
        PyObject* array;
        int number;
        unpack(item, "iO", &number, &array);
        if (!recipe_->slots[slot(number)].holds(array) || !PyArray_IS_C_CONTIGUOUS((PyArrayObject*)array))
            throw std::invalid_argument("a constant that its slot does not hold");
        recipe_->constants.push_back({number, Ref::shared(array)});
    }

    void read_step(PyObject* item) {
        const char* name;
        PyObject *what, *drop;
        unpack(item, "sOO", &name, &what, &drop);
        const std::string kind = name;
        Recipe::Step step = kind == "add" ? read_add(what) : kind == "chain" ? read_chain(what) : read_convert(what);
        step.drop = slots_of(drop);
        recipe_->steps.push_back(std::move(step));
    }

    Recipe::Step read_add(PyObject* what) const {
        int a, b, to;
        const char* rule;
        Recipe::Step step{Recipe::Step::ADD, {}, {}};
        unpack(what, "iiisl", &a, &b, &to, &rule, &step.axis);
        step.from = {slot(a), slot(b)};
        step.to = {slot(to)};
        step.rule = std::strcmp(rule, "pdpd") == 0 ? Rule::PDPD : std::strcmp(rule, "none") == 0 ? Rule::NONE : Rule::NUMPY;
        return step;
    }

    Recipe::Step read_convert(PyObject* what) const {
        PyObject* function;
        int from, to;
        unpack(what, "Oii", &function, &from, &to);
        Recipe::Step step{Recipe::Step::CONVERT, {slot(from)}, {slot(to)}};
        step.function = Ref::shared(function);
        return step;
    }

    Recipe::Step read_chain(PyObject* what) const {
        PyObject *sizes, *operands, *sums, *results;
        unpack(what, "OOOO", &sizes, &operands, &sums, &results);
        Recipe::Step step{Recipe::Step::CHAIN, {}, slots_of(results)};
        if (step.to.empty()) throw std::invalid_argument("a chain without a result");
        const uint8_t element = recipe_->slots[step.to[0]].element;
        const Kind kind = ELEMENTS[element].array;
        const std::vector<intptr_t> all = numbers(sizes);
        std::vector<Chain::Strides> strides;
        each(operands, [&](PyObject* operand) {
            int from;
            PyObject* by;
            unpack(operand, "iO", &from, &by);
            step.from.push_back(slot(from));
            strides.push_back(numbers(by));
            check_reach(step.from.back(), element, all, strides.back());
        });
        const std::vector<Chain::Sum> made = sums_of(sums, step);
        step.chain = std::make_unique<Chain>(*state.level, kind, all, std::move(strides), made);
        for (const int to : step.to)
            if (recipe_->slots[to].element != element || recipe_->slots[to].bytes() != step.chain->bytes())
                throw std::invalid_argument("a chain whose results are not of its size");
        return step;
    }

    // An operand lies within its array, whatever else is wrong.
    void check_reach(int from, uint8_t element, const std::vector<intptr_t>& sizes, const Chain::Strides& by) const {
        const Recipe::Slot& slot = recipe_->slots[from];
        bool fits = by.size() == sizes.size() && sizes.size() <= MAX_RANK && slot.element == element;
        intptr_t reach = facts(ELEMENTS[element].array).size;
        for (size_t i = 0; fits && i < by.size(); i++) {
            fits = sizes[i] > 0 && by[i] >= 0;
            reach += (sizes[i] - 1) * by[i];
        }
        if (!fits || reach > slot.bytes()) throw std::invalid_argument("an operand that its slot does not hold");
    }

    std::vector<Chain::Sum> sums_of(PyObject* sums, const Recipe::Step& step) const {
        std::vector<Chain::Sum> made;
        int results = 0;
        each(sums, [&](PyObject* item) {
            Chain::Sum sum;
            unpack(item, "iii", &sum.a, &sum.b, &sum.result);
            const int values = static_cast<int>(step.from.size() + made.size());
            if (sum.a < 0 || sum.b < 0 || sum.a >= values || sum.b >= values || sum.result < -1
                || (sum.result >= 0 && sum.result != results++))
                throw std::invalid_argument("a sum of values that there are not");
            made.push_back(sum);
        });
        if (made.empty() || made.size() > Chain::MOST_SUMS || step.from.size() > Chain::MOST_OPERANDS
            || results != static_cast<int>(step.to.size()))
            throw std::invalid_argument("a chain too long, or of no sums");
        return made;
    }

    void read_output(PyObject* item) {
        PyObject* key;
        int number, copied;
        unpack(item, "Oip", &key, &number, &copied);
        recipe_->outputs.push_back({Ref::shared(key), slot(number), copied != 0});
    }

    std::unique_ptr<Recipe> recipe_ = std::make_unique<Recipe>();
};

}  // namespace

std::unique_ptr<Recipe> read_recipe(PyObject* args) {
    try {
        return Reader().read(args);
    } catch (const PythonError&) {
        return nullptr;
    } catch (const std::invalid_argument& fault) {
        PyErr_SetString(PyExc_ValueError, fault.what());
    } catch (const std::bad_alloc&) {
        PyErr_NoMemory();
    }
    return nullptr;
}

}  // namespace addison
