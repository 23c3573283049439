/* Classes and messages by the real runtime. The classes of AppKit and ScreenCaptureKit are made of the functions of the other sources. */
#import "objects.h"
#import "apple-classes.h"
#import <objc/message.h>
#import <objc/runtime.h>
#include <string.h>

static const char *absent = "";
void class_missing(const char *name, int missing) { absent = missing ? name : ""; }
Class objc_getClass(const char *name) { return strcmp(name, absent) == 0 ? Nil : objc_lookUpClass(name); }

const char *selector_name(const void *selector) { return sel_getName((SEL)selector); }

/* What is no object has no class to look in; everything else is the runtime's. Untyped selectors cannot be forwarded, so it ends here as it does on a Mac. */
void *standin_method(CFTypeRef receiver, const char *selector) {
  checked(receiver, 0);
  if (!class_respondsToSelector(object_getClass((id)receiver), (SEL)selector)) [(id)receiver doesNotRecognizeSelector:(SEL)selector];
  return (void *)objc_msg_lookup((id)receiver, (SEL)selector);
}

/* As Apple declares the method; by the compiler, from apple-classes.h. */
static const char *declared(const char *class, SEL selector, BOOL of_instances) {
  Protocol *protocol = apple_class(class);
  struct objc_method_description found = protocol_getMethodDescription(protocol, selector, YES, of_instances);
  if (found.types != NULL) return found.types;
  Method inherited = of_instances ? class_getInstanceMethod([NSObject class], selector) : class_getClassMethod([NSObject class], selector);
  if (inherited == NULL) die("%s is not declared for %s", sel_getName(selector), class);
  return method_getTypeEncoding(inherited);
}

static void add_methods(Class to, const char *name, const StandinMethod *methods, BOOL of_instances) {
  for (; methods->selector != NULL; methods++) {
    SEL selector = sel_registerName(methods->selector);
    if (!class_addMethod(to, selector, (IMP)methods->code, declared(name, selector, of_instances))) die("two methods %s", methods->selector);
  }
}
StandinClass *class_named(const char *name, const StandinMethod *of_class, const StandinMethod *of_instances) {
  Class made = objc_allocateClassPair([StandinObject class], name, 0);
  add_methods(made, name, of_instances, YES);
  add_methods(object_getClass((id)made), name, of_class, NO);
  objc_registerClassPair(made);
  return (StandinClass *)made;
}

/* How each class of Apple's takes a message, by the compiler's own reading: one line for each; "" where none does. */
const char *standin_encodings(const char *name) {
  static char lines[1000];
  SEL selector = sel_registerName(name);
  *lines = 0;
  for (int i = 0; apple_classes[i].name != NULL; i++)
    for (int instances = 0; instances < 2; instances++) {
      struct objc_method_description found = protocol_getMethodDescription(apple_classes[i].protocol(), selector, YES, instances);
      if (found.types != NULL) strcat(strcat(lines, found.types), "\n");
    }
  Class foundation[] = { [NSObject class], [NSError class] };
  for (int i = 0; i < 2 && *lines == 0; i++) {
    Method method = class_getInstanceMethod(foundation[i], selector) ?: class_getClassMethod(foundation[i], selector);
    if (method != NULL) strcat(strcat(lines, method_getTypeEncoding(method)), "\n");
  }
  return lines;
}
