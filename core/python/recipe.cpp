#include "recipe.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <stdexcept>

#include "state.h"

namespace addison {

bool Recipe::Slot::holds(PyObject* value) const {
    if (!PyArray_CheckExact(value)) return false;
    auto* const array = reinterpret_cast<PyArrayObject*>(value);
    return element_of(array) == element && PyArray_NDIM(array) == static_cast<int>(shape.size())
        && std::equal(shape.begin(), shape.end(), PyArray_DIMS(array));
}

bool Recipe::Slot::holds_run(PyObject* value) const {
    return holds(value) && PyArray_IS_C_CONTIGUOUS(reinterpret_cast<PyArrayObject*>(value));
}

namespace {

struct PythonError {};   // thrown when a Python error is set

[[noreturn]] void refuse(const char* why) { throw std::invalid_argument(why); }

template <class Take>
void each(PyObject* tuple, Take take) {
    if (!PyTuple_Check(tuple)) refuse("a recipe is made of tuples");
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(tuple); i++) take(PyTuple_GET_ITEM(tuple, i));
}

template <class... Targets>
void unpack(PyObject* tuple, const char* format, Targets... targets) {
    if (!PyTuple_Check(tuple)) refuse("a recipe is made of tuples");
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

// The bytes of so many items; sizes are counted as NumPy does, past zeros.
intptr_t bytes_of(const std::vector<intptr_t>& sizes, uint8_t element) {
    intptr_t bytes = facts(ELEMENTS[element].array).size;
    bool fits = sizes.size() <= MAX_RANK, empty = false;
    for (const intptr_t size : sizes) {
        fits = fits && size >= 0 && !__builtin_mul_overflow(bytes, size ? size : 1, &bytes);
        empty |= size == 0;
    }
    if (!fits) refuse("a shape that no array has");
    return empty ? 0 : bytes;
}

Rule rule_of(const char* name) {
    static constexpr struct { const char* name; Rule rule; } RULES[] = {
        {"numpy", Rule::NUMPY}, {"none", Rule::NONE}, {"pdpd", Rule::PDPD}};
    for (const auto& one : RULES)
        if (std::strcmp(one.name, name) == 0) return one.rule;
    refuse("a rule that there is not");
}

class Reader {
  public:
    std::unique_ptr<Recipe> read(PyObject* args) {
        PyObject *slots, *inputs, *constants, *steps, *outputs;
        unpack(args, "OOOOO", &slots, &inputs, &constants, &steps, &outputs);
        each(slots, [&](PyObject* one) { read_slot(one); });
        filled_.resize(recipe_->slots.size());
        each(inputs, [&](PyObject* one) { read_input(one); });
        each(constants, [&](PyObject* one) { read_constant(one); });
        each(steps, [&](PyObject* one) { read_step(one); });
        each(outputs, [&](PyObject* one) { read_output(one); });
        return std::move(recipe_);
    }

  private:
    int slot(intptr_t number) const {
        if (number < 0 || number >= static_cast<intptr_t>(recipe_->slots.size())) refuse("a slot that there is not");
        return static_cast<int>(number);
    }
    int read_from(intptr_t number) const {
        if (!filled_[slot(number)]) refuse("a slot that nothing has filled");
        return static_cast<int>(number);
    }
    int fill(intptr_t number) {
        if (filled_[slot(number)]) refuse("a slot filled twice");
        filled_[number] = true;
        return static_cast<int>(number);
    }
    uint8_t element(int slot) const { return recipe_->slots[slot].element; }

    void read_slot(PyObject* item) {
        PyObject *name, *shape;
        unpack(item, "OO", &name, &shape);
        const int element = find_element(name);
        if (element < 0) throw PythonError();
        const std::vector<intptr_t> sizes = numbers(shape);
        const auto kind = static_cast<uint8_t>(element);
        recipe_->slots.push_back({kind, {sizes.begin(), sizes.end()}, bytes_of(sizes, kind)});
    }

    void read_input(PyObject* item) {
        PyObject* names;
        int number, needed, contiguous;
        unpack(item, "Oipp", &names, &number, &needed, &contiguous);
        if (number < 0 && needed) refuse("an input of no type that is needed");
        Recipe::Input input{{}, number < 0 ? -1 : slot(number), needed != 0, contiguous != 0};
        if (needed) fill(number);
        each(names, [&](PyObject* name) { input.names.push_back(Ref::shared(name)); });
        recipe_->inputs.push_back(std::move(input));
    }

    void read_constant(PyObject* item) {
        PyObject* array;
        int number;
        unpack(item, "iO", &number, &array);
        if (!recipe_->slots[fill(number)].holds_run(array)) refuse("a constant that its slot does not hold");
        recipe_->constants.push_back({number, Ref::shared(array)});
    }

    void read_step(PyObject* item) {
        static constexpr struct {
            const char* name;
            decltype(Recipe::Step::what) (Reader::*read)(PyObject*);
        } KINDS[] = {{"add", &Reader::read_add}, {"chain", &Reader::read_chain}, {"convert", &Reader::read_convert}};
        const char* name;
        PyObject *what, *drop;
        unpack(item, "sOO", &name, &what, &drop);
        const auto* const kind = std::find_if(std::begin(KINDS), std::end(KINDS),
                                              [&](const auto& one) { return std::strcmp(one.name, name) == 0; });
        if (kind == std::end(KINDS)) refuse("a step of no kind that there is");
        Recipe::Step step{(this->*kind->read)(what), {}};
        for (const intptr_t number : numbers(drop)) {
            step.drop.push_back(read_from(number));
            filled_[number] = false;
        }
        recipe_->steps.push_back(std::move(step));
    }

    decltype(Recipe::Step::what) read_add(PyObject* what) {
        int a, b, to;
        long axis;
        const char* rule;
        unpack(what, "iiisl", &a, &b, &to, &rule, &axis);
        const Recipe::Add add{read_from(a), read_from(b), fill(to), rule_of(rule), axis};
        if (element(a) != element(b) || element(a) != element(to)) refuse("an addition of two types");
        return add;
    }

    decltype(Recipe::Step::what) read_convert(PyObject* what) {
        PyObject* function;
        int from, to;
        unpack(what, "Oii", &function, &from, &to);
        return Recipe::Convert{Ref::shared(function), read_from(from), fill(to)};
    }

    decltype(Recipe::Step::what) read_chain(PyObject* what) {
        PyObject *sizes, *operands, *sums, *results;
        unpack(what, "OOOO", &sizes, &operands, &sums, &results);
        Recipe::Chained step;
        std::vector<Chain::Strides> strides;
        const std::vector<intptr_t> all = numbers(sizes);
        each(operands, [&](PyObject* operand) {
            int from;
            PyObject* by;
            unpack(operand, "iO", &from, &by);
            step.from.push_back(read_from(from));
            strides.push_back(numbers(by));
            check_reach(recipe_->slots[from], all, strides.back());
        });
        for (const intptr_t to : numbers(results)) step.to.push_back(fill(to));
        const std::vector<Chain::Sum> made = sums_of(sums, step);
        const uint8_t type = element(step.from[0]);
        const intptr_t bytes = bytes_of(all, type);
        for (const std::vector<int>* slots : {&step.from, &step.to})
            if (std::any_of(slots->begin(), slots->end(), [&](int one) { return element(one) != type; }))
                refuse("a chain of two types");
        for (const int to : step.to)
            if (bytes == 0 || recipe_->slots[to].bytes != bytes) refuse("a chain whose results are not of its size");
        step.chain = std::make_unique<Chain>(*state.level, ELEMENTS[type].array, all, std::move(strides), made);
        return step;
    }

    // An operand lies within its array, whatever else is wrong.
    static void check_reach(const Recipe::Slot& slot, const std::vector<intptr_t>& sizes, const Chain::Strides& by) {
        bool fits = by.size() == sizes.size();
        intptr_t reach = facts(ELEMENTS[slot.element].array).size, along;
        for (size_t i = 0; fits && i < by.size(); i++)
            fits = sizes[i] > 0 && by[i] >= 0 && !__builtin_mul_overflow(sizes[i] - 1, by[i], &along)
                && !__builtin_add_overflow(reach, along, &reach);
        if (!fits || reach > slot.bytes) refuse("an operand that its slot does not hold");
    }

    static std::vector<Chain::Sum> sums_of(PyObject* sums, const Recipe::Chained& step) {
        std::vector<Chain::Sum> made;
        int results = 0;
        each(sums, [&](PyObject* item) {
            Chain::Sum sum;
            unpack(item, "iii", &sum.a, &sum.b, &sum.result);
            const int values = static_cast<int>(step.from.size() + made.size());
            if (sum.a < 0 || sum.b < 0 || sum.a >= values || sum.b >= values || sum.result < -1
                || (sum.result >= 0 && sum.result != results++))
                refuse("a sum of values that there are not");
            made.push_back(sum);
        });
        if (made.empty() || made.size() > Chain::MOST_SUMS || step.from.size() > Chain::MOST_OPERANDS)
            refuse("a chain too long, or of no sums");
        if (results == 0 || results != static_cast<int>(step.to.size())) refuse("a chain without its results");
        return made;
    }

    void read_output(PyObject* item) {
        PyObject* key;
        int number, copied;
        unpack(item, "Oip", &key, &number, &copied);
        recipe_->outputs.push_back({Ref::shared(key), read_from(number), copied != 0});
    }

    std::unique_ptr<Recipe> recipe_ = std::make_unique<Recipe>();
    std::vector<bool> filled_;
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
