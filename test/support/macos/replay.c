/* The calls that a reading makes, kept in their order, and made again by a loop in C that converts the same values: what its time is held against. */
#include "desktop.h"
#include <stdlib.h>
#include <string.h>

typedef struct { int kind; CFTypeRef element, with; } Call;

unsigned long CFGetTypeID(CFTypeRef ref), CFHash(CFTypeRef ref), CFStringGetTypeID(void), CFNumberGetTypeID(void), CFBooleanGetTypeID(void), CFArrayGetTypeID(void), AXUIElementGetTypeID(void), AXValueGetTypeID(void);
long CFStringGetLength(CFTypeRef text);
void CFStringGetCharacters(CFTypeRef text, long from, long length, uint16_t *units);
unsigned char CFNumberIsFloatType(CFTypeRef number), CFNumberGetValue(CFTypeRef number, long type, void *at), CFBooleanGetValue(CFTypeRef boolean);
long CFArrayGetCount(CFTypeRef list);
void CFArrayGetValues(CFTypeRef list, long from, long length, CFTypeRef *items);
uint32_t AXValueGetType(CFTypeRef value);
unsigned char AXValueGetValue(CFTypeRef value, uint32_t type, void *at);
void CFRelease(CFTypeRef ref);
int32_t AXUIElementCopyAttributeValue(CFTypeRef ref, CFTypeRef name, CFTypeRef *value), AXUIElementCopyMultipleAttributeValues(CFTypeRef ref, CFTypeRef names, uint32_t options, CFTypeRef *values);
int32_t AXUIElementIsAttributeSettable(CFTypeRef ref, CFTypeRef name, unsigned char *settable), AXUIElementCopyActionNames(CFTypeRef ref, CFTypeRef *names), _AXUIElementGetWindow(CFTypeRef ref, uint32_t *number);

static Call *calls;
static int count, room, recording;

void note_call(int kind, CFTypeRef element, CFTypeRef with) {
  if (!recording) return;
  if (count == room) calls = realloc(calls, (room = room * 2 + 1024) * sizeof *calls);
  calls[count++] = (Call){ kind, retained(element), with == NULL ? NULL : retained(with) };
}
/* Forgets what was kept before. */
void standin_keep_calls(int on) {
  for (int i = 0; on && i < count; i++) {
    released(calls[i].element);
    if (calls[i].with != NULL) released(calls[i].with);
  }
  if (on) count = 0;
  recording = on;
}

static volatile double sink;

static void convert(CFTypeRef ref) {
  unsigned long type = CFGetTypeID(ref);
  if (type == CFStringGetTypeID()) {
    long length = CFStringGetLength(ref);
    uint16_t *units = malloc(2 * length + 2);
    CFStringGetCharacters(ref, 0, length, units);
    sink += length > 0 ? units[0] : 0;
    free(units);
  } else if (type == CFNumberGetTypeID()) {
    double number = 0;
    int64_t whole = 0;
    if (CFNumberIsFloatType(ref)) CFNumberGetValue(ref, 6, &number);
    else CFNumberGetValue(ref, 4, &whole);
    sink += number + whole;
  } else if (type == CFBooleanGetTypeID()) sink += CFBooleanGetValue(ref);
  else if (type == CFArrayGetTypeID()) {
    long items_count = CFArrayGetCount(ref);
    CFTypeRef *items = malloc((items_count + 1) * sizeof *items);
    CFArrayGetValues(ref, 0, items_count, items);
    for (long i = 0; i < items_count; i++) convert(items[i]);
    free(items);
  } else if (type == AXUIElementGetTypeID()) sink += CFHash(ref);
  else if (type == AXValueGetTypeID()) {
    double numbers[4] = { 0 };
    AXValueGetValue(ref, AXValueGetType(ref), numbers);
    sink += numbers[0] + numbers[3];
  }
}

/* How many calls it made. */
int standin_replay(void) {
  for (int i = 0; i < count; i++) {
    Call *call = &calls[i];
    CFTypeRef found = NULL;
    unsigned char settable = 0;
    uint32_t number = 0;
    if (call->kind == ONE_VALUE) AXUIElementCopyAttributeValue(call->element, call->with, &found);
    else if (call->kind == VALUES) AXUIElementCopyMultipleAttributeValues(call->element, call->with, 0, &found);
    else if (call->kind == SETTABLE_) AXUIElementIsAttributeSettable(call->element, call->with, &settable);
    else if (call->kind == ACTION_NAMES) AXUIElementCopyActionNames(call->element, &found);
    else _AXUIElementGetWindow(call->element, &number);
    sink += settable + number;
    if (found == NULL) continue;
    convert(found);
    CFRelease(found);
  }
  return count;
}
