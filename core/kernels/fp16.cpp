// What level v4+fp16 adds otherwise than v4: the kinds that are added by fp16 arithmetic, compiled with its flags. All
// the others would be the same once more.
#include "../level.h"
#include "eight.h"
#include "half.h"
#include "table.h"

namespace addison {

extern const Fp16Rows V4_FP16_ROWS;
const Fp16Rows V4_FP16_ROWS = {
    rows<Half, ROUNDS | LESS>(), rows<Float8E4M3, ROUNDS | LESS>(), rows<Float8E5M2, ROUNDS | LESS>(),
};

}  // namespace addison
