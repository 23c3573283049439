#pragma once
#include "objects.h"

typedef struct { const char *selector; void *code; } Method;
struct Class { Header head; const char *name; Class *meta; const Method *methods; };

CFTypeRef instance(Class *class, int32_t pid);
Class *objc_getClass(const char *name);
Class *class_named(const char *name, const Method *of_class, const Method *of_instances);
