#define _DEFAULT_SOURCE
/* Accessibility over the scripted desktop, with its habits: main thread only, one answer at a time, a hung application costs a time limit. */
#include "desktop.h"
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { SUCCESS = 0, INVALID = -25202, CANNOT_COMPLETE = -25204, NO_ATTRIBUTE = -25205, NO_ACTION = -25206, DISABLED = -25211, NO_VALUE = -25212, NO_PARAMETER = -25213, ILLEGAL = -25201 };

unsigned long AXUIElementGetTypeID(void) { return ELEMENT; }
unsigned char AXIsProcessTrusted(void) { return !desktop.untrusted; }

static CFTypeRef element_ref(int32_t pid, int element) {
  Element *ref = make(sizeof(Element), ELEMENT);
  ref->pid = pid;
  ref->element = element;
  return ref;
}

CFTypeRef AXUIElementCreateSystemWide(void) { return on_main_thread(__func__), element_ref(0, 0); }
CFTypeRef AXUIElementCreateApplication(int32_t pid) { return on_main_thread(__func__), element_ref(pid, 0); }
int32_t AXUIElementSetMessagingTimeout(CFTypeRef ref, float seconds) {
  checked(ref, ELEMENT);
  if (seconds != seconds || seconds < 0 || seconds > 600) return ILLEGAL;
  return SUCCESS;
}
int32_t AXUIElementGetPid(CFTypeRef ref, int32_t *pid) {
  *pid = ((Element *)checked(ref, ELEMENT))->pid;
  return SUCCESS;
}

static int attached(int element) {
  for (; element != 0; element = node_of(element)->parent)
    if (node_of(element)->gone) return 0;
  return 1;
}

/* What each call does first: find the application, wait for it, find the element. */
static int32_t reach(CFTypeRef ref, const char *call, App **app, int *element) {
  on_main_thread(call);
  Element *target = checked(ref, ELEMENT);
  desktop.ax_calls++;
  if (desktop.latency_us > 0) usleep(desktop.latency_us);
  *app = NULL;
  if (desktop.untrusted || desktop.stale_trust) return DISABLED;
  if (target->pid == 0) return SUCCESS;
  *app = app_of(target->pid);
  if (*app == NULL) return target->element == 0 ? CANNOT_COMPLETE : INVALID;
  if (target->pid == desktop.blocked) for (;;) pause();
  if (target->pid == desktop.crashing) die("as the test wants it");
  if ((*app)->hung) {
    desktop.hung_calls++;
    return CANNOT_COMPLETE;
  }
  if ((*app)->refusing) return DISABLED;
  *element = target->element == 0 ? (*app)->root : target->element;
  return attached(*element) ? SUCCESS : INVALID;
}

static Attribute *attribute_of(Node *node, CFTypeRef name) {
  for (int i = 0; i < node->attribute_count; i++)
    if (text_is(name, node->attributes[i].name)) return &node->attributes[i];
  return NULL;
}

static Attribute *named(Node *node, const char *name) {
  for (int i = 0; i < node->attribute_count; i++)
    if (strcmp(node->attributes[i].name, name) == 0) return &node->attributes[i];
  return NULL;
}
static int attribute_says(Node *node, const char *name, const char *text) {
  Attribute *attribute = named(node, name);
  return attribute != NULL && type_of(attribute->value) == STRING && text_is(attribute->value, text);
}
static int is_secret(Node *node) { return attribute_says(node, "AXSubrole", "AXSecureTextField"); }
static void replace(Attribute *attribute, CFTypeRef value) {
  released(attribute->value);
  attribute->value = value;
}
static double number_in(Attribute *attribute) {
  return type_of(attribute->value) == BOOLEAN ? CFBooleanGetValue(attribute->value) : number_of(attribute->value);
}

static CFTypeRef list_of(App *app, Node *node, int windows_only) {
  CFTypeRef items[node->child_count + 1];
  items[0] = NULL;
  long count = 0;
  for (int i = 0; i < node->child_count; i++) {
    Node *child = node_of(node->children[i]);
    if (!child->gone && (!windows_only || child->window != 0)) items[count++] = element_ref(app->pid, node->children[i]);
  }
  CFTypeRef list = make_array(count, items);
  for (long i = 0; i < count; i++) released(items[i]);
  return list;
}

static int32_t system_value(CFTypeRef name, CFTypeRef *value) {
  App *front = app_of(desktop.front);
  if (text_is(name, "AXFocusedApplication")) {
    if (front == NULL || front->silent_focus) return NO_VALUE;
    *value = element_ref(front->pid, 0);
    return SUCCESS;
  }
  if (text_is(name, "AXFocusedUIElement")) {
    if (front == NULL || front->silent_focus || front->focused_element == 0) return NO_VALUE;
    *value = element_ref(front->pid, front->focused_element);
    return SUCCESS;
  }
  return NO_ATTRIBUTE;
}

static int32_t value_of(App *app, int element, CFTypeRef name, CFTypeRef *value) {
  Node *node = node_of(element);
  int is_app = element == app->root;
  Attribute *attribute = attribute_of(node, name);
  if (text_is(name, "AXFocused") && !is_app) return *value = make_boolean(app->focused_element == element), SUCCESS;
  if (attribute != NULL && text_is(name, "AXValue") && is_secret(node)) tell("the secret of %d was read", element);
  if (attribute != NULL) return *value = retained(attribute->value), SUCCESS;
  if (text_is(name, "AXNumberOfCharacters")) {
    Attribute *text = named(node, "AXValue");
    if (text == NULL || type_of(text->value) != STRING) return NO_ATTRIBUTE;
    return *value = make_integer(CFStringGetLength(text->value)), SUCCESS;
  }
  if (text_is(name, "AXChildren")) return *value = list_of(app, node, 0), SUCCESS;
  if (text_is(name, "AXWindows") && is_app) {
    if (app->windowless == 2) return NO_ATTRIBUTE;
    return *value = app->windowless ? make_array(0, NULL) : list_of(app, node, 1), SUCCESS;
  }
  if (text_is(name, "AXWindow") && !is_app) {
    for (int at = element; at != 0; at = node_of(at)->parent)
      if (node_of(at)->window != 0) return *value = element_ref(app->pid, at), SUCCESS;
    return NO_VALUE;
  }
  if (text_is(name, "AXParent")) {
    if (node->parent == 0) return NO_VALUE;
    return *value = element_ref(app->pid, node->parent == app->root ? 0 : node->parent), SUCCESS;
  }
  if (is_app && (text_is(name, "AXFocusedWindow") || text_is(name, "AXMainWindow"))) {
    if (app->focused_window == 0) return NO_VALUE;
    return *value = element_ref(app->pid, app->focused_window), SUCCESS;
  }
  if (is_app && text_is(name, "AXFocusedUIElement")) {
    if (app->focused_element == 0) return NO_VALUE;
    return *value = element_ref(app->pid, app->focused_element), SUCCESS;
  }
  if (node->has_frame && text_is(name, "AXFrame")) return *value = make_value(3, &node->frame.x), SUCCESS;
  if (node->has_frame && text_is(name, "AXPosition")) return *value = make_value(1, &node->frame.x), SUCCESS;
  if (node->has_frame && text_is(name, "AXSize")) return *value = make_value(2, &node->frame.width), SUCCESS;
  return NO_ATTRIBUTE;
}

int32_t AXUIElementCopyAttributeValue(CFTypeRef ref, CFTypeRef name, CFTypeRef *value) {
  note_call(ONE_VALUE, ref, name);
  App *app;
  int element = 0;
  int32_t status = reach(ref, __func__, &app, &element);
  if (status != SUCCESS) return status;
  return app == NULL ? system_value(name, value) : value_of(app, element, name, value);
}

CFTypeRef standin_error_value(int32_t code);

int32_t AXUIElementCopyMultipleAttributeValues(CFTypeRef ref, CFTypeRef names, uint32_t options, CFTypeRef *values) {
  note_call(VALUES, ref, names);
  App *app;
  int element = 0;
  int32_t status = reach(ref, __func__, &app, &element);
  if (status != SUCCESS) return status;
  if (options != 0) die("attributes were asked with options %u", options);
  long count = CFArrayGetCount(names);
  CFTypeRef wanted[count + 1], found[count + 1];
  CFArrayGetValues(names, 0, count, wanted);
  for (long i = 0; i < count; i++) {
    CFTypeRef value = NULL;
    int32_t failed = app == NULL ? system_value(wanted[i], &value) : value_of(app, element, wanted[i], &value);
    found[i] = failed == SUCCESS ? value : standin_error_value(failed);
  }
  *values = make_array(count, found);
  for (long i = 0; i < count; i++) released(found[i]);
  return SUCCESS;
}

static int asked_for(CFTypeRef keys, const char *key) {
  long count = CFArrayGetCount(keys);
  CFTypeRef all[count + 1];
  CFArrayGetValues(keys, 0, count, all);
  for (long i = 0; i < count; i++) if (text_is(all[i], key)) return 1;
  return 0;
}
static int is_field(Node *node) { return attribute_says(node, "AXRole", "AXTextField") || attribute_says(node, "AXRole", "AXTextArea"); }
static long search_below(App *app, int element, CFTypeRef keys, CFTypeRef *found, long count, long most) {
  Node *node = node_of(element);
  for (int i = 0; i < node->child_count && count < most; i++) {
    Node *child = node_of(node->children[i]);
    int matches = (asked_for(keys, "AXTextFieldSearchKey") && is_field(child)) || (asked_for(keys, "AXControlSearchKey") && (is_field(child) || is_secret(child) || attribute_says(child, "AXRole", "AXButton")));
    if (!child->gone && matches) found[count++] = element_ref(app->pid, node->children[i]);
    count = search_below(app, node->children[i], keys, found, count, most);
  }
  return count;
}
void standin_searches(int element, int how) { node_of(element)->searches = how; }

/* Of pages only; the frames of other processes are in those of Chromium, too. */
int32_t AXUIElementCopyParameterizedAttributeValue(CFTypeRef ref, CFTypeRef name, CFTypeRef parameter, CFTypeRef *value) {
  App *app;
  int element = 0;
  int32_t status = reach(ref, __func__, &app, &element);
  if (status != SUCCESS) return status;
  if (!text_is(name, "AXUIElementsForSearchPredicate") || app == NULL || !node_of(element)->searches) return NO_PARAMETER;
  CFTypeRef names[] = { make_text("AXSearchKey"), make_text("AXResultsLimit"), make_text("AXDirection") };
  CFTypeRef keys = CFDictionaryGetValue(parameter, names[0]), limit = CFDictionaryGetValue(parameter, names[1]);
  if (!text_is(CFDictionaryGetValue(parameter, names[2]), "AXDirectionNext")) die("a search in no direction");
  long most = (long)number_of(limit);
  CFTypeRef found[most + 1];
  long count = node_of(element)->searches == 2 ? 0 : search_below(app, element, checked(keys, ARRAY), found, 0, most);
  *value = make_array(count, found);
  for (long i = 0; i < count; i++) released(found[i]);
  for (int i = 0; i < 3; i++) released(names[i]);
  return SUCCESS;
}

int32_t AXUIElementIsAttributeSettable(CFTypeRef ref, CFTypeRef name, unsigned char *settable) {
  note_call(SETTABLE_, ref, name);
  App *app;
  int element = 0;
  int32_t status = reach(ref, __func__, &app, &element);
  if (status != SUCCESS) return status;
  Attribute *attribute = app == NULL ? NULL : attribute_of(node_of(element), name);
  if (app != NULL && node_of(element)->window != 0 && (text_is(name, "AXPosition") || text_is(name, "AXSize")))
    return *settable = node_of(element)->frame_mode != REFUSES, SUCCESS;
  if (attribute == NULL) return NO_ATTRIBUTE;
  *settable = attribute->settable != REFUSES;
  return SUCCESS;
}

/* At the end, where the caret is. */
static void insert(Node *node, CFTypeRef text) {
  Attribute *whole = named(node, "AXValue");
  long before = CFStringGetLength(whole->value), more = CFStringGetLength(text);
  uint16_t units[before + more + 1];
  CFStringGetCharacters(whole->value, 0, before, units);
  CFStringGetCharacters(text, 0, more, units + before);
  replace(whole, CFStringCreateWithCharacters(NULL, units, before + more));
}
/* As a field that takes 5 characters. */
static CFTypeRef shortened(CFTypeRef value) {
  uint16_t units[5];
  if (type_of(value) != STRING) return retained(value);
  long length = CFStringGetLength(value) < 5 ? CFStringGetLength(value) : 5;
  CFStringGetCharacters(value, 0, length, units);
  return CFStringCreateWithCharacters(NULL, units, length);
}
static void select_only(Node *holder, CFTypeRef list) {
  long count = CFArrayGetCount(list);
  CFTypeRef chosen[count + 1];
  CFArrayGetValues(list, 0, count, chosen);
  for (int i = 0; i < holder->child_count; i++) {
    Attribute *selected = named(node_of(holder->children[i]), "AXSelected");
    int is = 0;
    for (long c = 0; c < count; c++) is |= ((const Element *)chosen[c])->element == holder->children[i];
    if (selected != NULL) replace(selected, make_boolean(is));
  }
}

static void move_below(Node *node, double x, double y) {
  for (int i = 0; i < node->child_count; i++) {
    Node *child = node_of(node->children[i]);
    child->frame.x += x, child->frame.y += y;
    move_below(child, x, y);
  }
}
/* The window server shows it a moment later. A size is taken back by a place that is set before it showed. */
static int32_t set_frame(App *app, Node *node, CFTypeRef name, CFTypeRef value) {
  Attribute *enhanced = named(node_of(app->root), "AXEnhancedUserInterface");
  Window *window = window_of(node->window);
  const double *numbers = ((Value *)checked(value, VALUE))->numbers;
  int is_place = text_is(name, "AXPosition");
  if (node->frame_mode == REFUSES) return -25200;
  if (node->frame_mode == PRETENDS || (enhanced != NULL && number_in(enhanced) != 0)) return SUCCESS;
  Rect next = node->frame;
  if (is_place) {
    next.x = numbers[0], next.y = numbers[1];
    if (node->resized) next.width = node->before.width, next.height = node->before.height;
  } else {
    node->before = node->frame;
    node->resized = 1;
    next.width = numbers[0] < 100 ? 100 : numbers[0];
    next.height = numbers[1] < 80 ? 80 : numbers[1];
  }
  move_below(node, next.x - node->frame.x, next.y - node->frame.y);
  node->frame = window->next = next;
  window->late = 3;
  notify(app->pid, is_place ? "AXWindowMoved" : "AXWindowResized");
  tell("set %s of window %u", is_place ? "AXPosition" : "AXSize", window->number);
  return SUCCESS;
}

static void describe(CFTypeRef value, char *text, size_t room) {
  uint32_t type = type_of(value);
  if (type == STRING) text_bytes(value, text, room);
  else if (type == BOOLEAN) snprintf(text, room, "%d", CFBooleanGetValue(value));
  else if (type == NUMBER) snprintf(text, room, "%g", number_of(value));
  else snprintf(text, room, "?");
}

int32_t AXUIElementSetAttributeValue(CFTypeRef ref, CFTypeRef name, CFTypeRef value) {
  App *app;
  int element = 0;
  int32_t status = reach(ref, __func__, &app, &element);
  if (status != SUCCESS) return status;
  checked(value, 0);
  if (app != NULL && node_of(element)->window != 0 && (text_is(name, "AXPosition") || text_is(name, "AXSize")))
    return set_frame(app, node_of(element), name, value);
  Attribute *attribute = app == NULL ? NULL : attribute_of(node_of(element), name);
  if (attribute == NULL) return NO_ATTRIBUTE;
  if (attribute->settable == REFUSES) return -25200;
  if (attribute->settable == PRETENDS) return SUCCESS;
  if (strcmp(attribute->name, "AXSelectedText") == 0) {
    char inserted[4096];
    text_bytes(value, inserted, sizeof inserted);
    if (!happened("insert", element, inserted, 0, 0)) insert(node_of(element), value);
    tell("insert %d", element);
    return SUCCESS;
  }
  replace(attribute, attribute->settable == LIMITS ? shortened(value) : retained(value));
  if (strncmp(attribute->name, "AXSelected", 10) == 0 && type_of(value) == ARRAY) select_only(node_of(element), value);
  char text[48];
  describe(value, text, sizeof text);
  tell("set %d %s %s", element, attribute->name, text);
  if (strcmp(attribute->name, "AXFocused") == 0 && CFBooleanGetValue(value)) app->focused_element = element;
  int on = type_of(value) == BOOLEAN && CFBooleanGetValue(value);
  if (strcmp(attribute->name, "AXFrontmost") == 0 && on) desktop.front = app->pid;
  if (strcmp(attribute->name, "AXMain") == 0 && on) app->focused_window = element;
  if (strcmp(attribute->name, "AXMinimized") == 0) window_of(node_of(element)->window)->on_screen = !on;
  happened("set", element, attribute->name, 0, 0);
  if (strcmp(attribute->name, "AXValue") == 0) notify(app->pid, "AXValueChanged");
  if (strcmp(attribute->name, "AXFocused") == 0) notify(app->pid, "AXFocusedUIElementChanged");
  if (strcmp(attribute->name, "AXMinimized") == 0) notify(app->pid, on ? "AXWindowMiniaturized" : "AXWindowDeminiaturized");
  if (strcmp(attribute->name, "AXFrontmost") == 0) notify(app->pid, "AXApplicationActivated");
  return attribute->settable == DOES_AND_TIMES_OUT ? CANNOT_COMPLETE : SUCCESS;
}

int32_t AXUIElementCopyActionNames(CFTypeRef ref, CFTypeRef *names) {
  note_call(ACTION_NAMES, ref, NULL);
  App *app;
  int element = 0;
  int32_t status = reach(ref, __func__, &app, &element);
  if (status != SUCCESS) return status;
  Node *node = node_of(element);
  CFTypeRef found[MOST_ACTIONS];
  for (int i = 0; i < node->action_count; i++) found[i] = make_text(node->actions[i].name);
  *names = make_array(node->action_count, found);
  for (int i = 0; i < node->action_count; i++) released(found[i]);
  return SUCCESS;
}

static void close_window(Node *button) {
  Node *window = node_of(button->closes);
  if (button->close_mode == DOES) {
    window->gone = 1; /* its row stays */
    window_of(window->window)->on_screen = 0;
    happened("closed", button->closes, "", 0, 0);
  } else if (button->close_mode == ASKS) add_sheet(button->closes);
}
static void use_menu(Node *node, const char *action) {
  Node *above = node->parent == 0 ? NULL : node_of(node->parent);
  if (strcmp(action, "AXPress") == 0 && node->menu != 0) node_of(node->menu)->gone = 0;
  if (strcmp(action, "AXCancel") == 0 && node->menu_of != 0) node->gone = 1;
  if (strcmp(action, "AXPress") != 0 || above == NULL || above->menu_of == 0) return;
  above->gone = 1;
  char title[256];
  text_bytes(named(node, "AXTitle")->value, title, sizeof title);
  replace(named(node_of(above->menu_of), "AXValue"), make_text(title));
}
static void act(Node *node, const char *action) {
  use_menu(node, action);
  if (strcmp(action, "AXRaise") == 0) to_front(node->window);
  if (strcmp(action, "AXPress") == 0 && node->closes != 0) close_window(node);
  Attribute *value = named(node, "AXValue");
  if (strcmp(action, "AXScrollToVisible") == 0) node->frame.y = node_of(node->parent)->frame.y;
  if (value == NULL || type_of(value->value) == STRING) return;
  double now = number_in(value);
  if (strcmp(action, "AXIncrement") == 0) replace(value, make_integer(now < 10 ? now + 1 : now));
  if (strcmp(action, "AXDecrement") == 0) replace(value, make_integer(now > 0 ? now - 1 : now));
  if (strcmp(action, "AXPress") == 0) replace(value, make_integer(attribute_says(node, "AXRole", "AXRadioButton") ? 1 : now == 0));
}

int32_t AXUIElementPerformAction(CFTypeRef ref, CFTypeRef name) {
  App *app;
  int element = 0;
  int32_t status = reach(ref, __func__, &app, &element);
  if (status != SUCCESS) return status;
  Node *node = node_of(element);
  for (int i = 0; i < node->action_count; i++) {
    if (!text_is(name, node->actions[i].name)) continue;
    if (node->actions[i].mode == REFUSES) return -25200;
    if (node->actions[i].mode != PRETENDS) {
      tell("%s %d", node->actions[i].name, element);
      act(node, node->actions[i].name);
      notify(app->pid, "AXValueChanged");
      happened("act", element, node->actions[i].name, 0, 0);
    }
    return node->actions[i].mode == DOES_AND_TIMES_OUT ? CANNOT_COMPLETE : SUCCESS;
  }
  return NO_ACTION;
}

static int deepest_at(int element, double x, double y) {
  Node *node = node_of(element);
  for (int i = node->child_count - 1; i >= 0; i--) {
    Node *child = node_of(node->children[i]);
    if (!child->gone && child->parent == element && child->has_frame && inside(&child->frame, x, y)) return deepest_at(node->children[i], x, y);
  }
  return element;
}

/* Of one application, or of any: pid 0. */
int element_under(int32_t pid, double x, double y) {
  for (int i = 0; i < desktop.window_count; i++) {
    Window *window = &desktop.windows[i];
    if (!window->on_screen || window->passes_hits == 1 || (pid == 0 && window->passes_hits) || !inside(&window->bounds, x, y)) continue;
    if ((pid != 0 && pid != window->pid) || app_of(window->pid) == NULL) continue;
    for (int n = 1; n <= desktop.node_count; n++)
      if ((node_of(n)->window == (int)window->number || node_of(n)->surface == (int)window->number) && !node_of(n)->gone) return deepest_at(n, x, y);
  }
  return 0;
}

int32_t AXUIElementCopyElementAtPosition(CFTypeRef ref, float x, float y, CFTypeRef *found) {
  App *app;
  int element = 0;
  int32_t status = reach(ref, __func__, &app, &element);
  if (status != SUCCESS) return status;
  int hit = element_under(app == NULL ? 0 : app->pid, x, y);
  if (hit != 0) return *found = element_ref(desktop.apps[node_of(hit)->app].pid, hit), SUCCESS;
  if (app == NULL) return NO_VALUE;
  return *found = element_ref(app->pid, 0), SUCCESS; /* an application names itself where it has nothing */
}

int32_t _AXUIElementGetWindow(CFTypeRef ref, uint32_t *number) {
  note_call(WINDOW_NUMBER, ref, NULL);
  App *app;
  int element = 0;
  int32_t status = reach(ref, __func__, &app, &element);
  if (status != SUCCESS) return status;
  if (app == NULL || node_of(element)->window == 0) return ILLEGAL;
  *number = node_of(element)->window;
  return SUCCESS;
}
