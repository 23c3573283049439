/* Objects of the stand-in libraries: counted, checked on every use, poisoned when they end. */
#pragma once
#include <stdint.h>
#include <stddef.h>

typedef const void *CFTypeRef;
typedef struct Class Class;

enum { STRING = 1, NUMBER, BOOLEAN, ARRAY, DICTIONARY, URL, ATTRIBUTED, UUID, MODE, ELEMENT, VALUE, INSTANCE, SOURCE, EVENT, KEYBOARD, DATA, IMAGE, PROVIDER, SPACE, CONTEXT, ITEM, PORT, LOOP_SOURCE, OBSERVER, CODE, REQUIREMENT };

typedef struct {
  Class *isa;
  uint32_t magic;
  uint32_t type;
  long retains; /* below 0: lives for ever */
} Header;

typedef struct { Header head; long length; uint16_t units[]; } String;
typedef struct { Header head; int is_float; double number; int64_t integer; } Number;
typedef struct { Header head; int value; } Boolean_;
typedef struct { Header head; long count; int retains_items; CFTypeRef items[]; } Array;
typedef struct { Header head; long count; CFTypeRef pairs[]; } Dictionary;
typedef struct { Header head; CFTypeRef text; } Wrapped; /* URL, attributed string, UUID */
typedef struct { Header head; size_t width, pixels; } Mode;
typedef struct { Header head; int32_t pid; int32_t element; } Element; /* element 0: the application; pid 0: the system */
typedef struct { Header head; uint32_t kind; double numbers[4]; int32_t code; } Value;
typedef struct { Header head; int32_t pid; } Instance;
typedef struct { Header head; long length; uint8_t bytes[]; } Data;

void die(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));
void *make(size_t bytes, uint32_t type);
void *checked(CFTypeRef ref, uint32_t type); /* type 0: any */
CFTypeRef retained(CFTypeRef ref);
void released(CFTypeRef ref);
CFTypeRef autoreleased(CFTypeRef ref);
void on_main_thread(const char *name);

CFTypeRef make_text(const char *utf8);
CFTypeRef make_integer(int64_t number);
CFTypeRef make_double(double number);
CFTypeRef make_boolean(int value); /* immortal */
CFTypeRef make_array(long count, const CFTypeRef *items);
CFTypeRef make_data(const void *bytes, long length);
CFTypeRef make_value(uint32_t kind, const double *numbers);
int same(CFTypeRef a, CFTypeRef b);
int text_is(CFTypeRef text, const char *utf8);
void text_bytes(CFTypeRef text, char *utf8, size_t room);
