// A walk over the outer axes of a layout, last axis fastest, from any place on.
#pragma once

#include "layout.h"

namespace addison {

struct Walk {
    const Layout& layout;
    int axes;                    // walks layout.axes[0 .. axes)
    const char* a;
    const char* b;
    char* c;
    intptr_t at[MAX_RANK];

    Walk(const Layout& all, int outer, intptr_t place) : layout(all), axes(outer), a(all.a), b(all.b), c(all.c) {
        for (int i = axes - 1; i >= 0; i--) {
            const Axis& axis = layout.axes[i];
            at[i] = place % axis.size;
            place /= axis.size;
            a += at[i] * axis.a;
            b += at[i] * axis.b;
            c += at[i] * axis.c;
        }
    }

    void next() {
        for (int i = axes - 1; i >= 0; i--) {
            const Axis& axis = layout.axes[i];
            a += axis.a;
            b += axis.b;
            c += axis.c;
            if (++at[i] < axis.size) return;
            a -= axis.a * axis.size;
            b -= axis.b * axis.size;
            c -= axis.c * axis.size;
            at[i] = 0;
        }
    }
};

}  // namespace addison
