/* The objects of the other sources as real ones: their header is what NSObject and these three variables make. */
#import <Foundation/Foundation.h>
#define Class StandinClass
#define Method StandinMethod
#include "../runtime.h"
#undef Class
#undef Method

@interface StandinObject : NSObject {
 @public
  uint32_t magic, type;
  long retains;
}
@end

/* NSString of GNUstep refuses halves of surrogate pairs, which Apple's keeps. */
@interface StandinUnits : NSString {
  long length;
  uint16_t *units;
}
- (id)initWithUnits:(const uint16_t *)from length:(long)count;
@end

extern const void *kCFBooleanTrue, *kCFBooleanFalse;

/* Counts what was made for the code under test, and nothing that GNUstep keeps for itself. */
CFTypeRef counting(id object);
