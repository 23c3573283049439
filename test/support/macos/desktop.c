#include "desktop.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

Desktop desktop;

App *app_of(int32_t pid) {
  for (int i = 0; i < desktop.app_count; i++)
    if (desktop.apps[i].pid == pid && !desktop.apps[i].ended) return &desktop.apps[i];
  return NULL;
}

Node *node_of(int element) {
  if (element <= 0 || element > desktop.node_count) die("there is no element %d", element);
  return &desktop.nodes[element - 1];
}

int inside(const Rect *rect, double x, double y) {
  return x >= rect->x && y >= rect->y && x < rect->x + rect->width && y < rect->y + rect->height;
}

void tell(const char *format, ...) {
  va_list given;
  va_start(given, format);
  if (desktop.journal_count == MOST_JOURNAL) die("the journal is full");
  vsnprintf(desktop.journal[desktop.journal_count++], sizeof desktop.journal[0], format, given);
  va_end(given);
}

static void (*listener)(const char *, int, const char *, double, double);
void standin_listen(void *call) { listener = (void (*)(const char *, int, const char *, double, double))call; }
int happened(const char *what, int element, const char *text, double x, double y) {
  if (listener == NULL) return 0;
  listener(what, element, text, x, y);
  return 1;
}

/* Objects that the scripted desktop itself holds. */
long standin_desktop_objects(void) {
  long count = pasteboard_objects();
  for (int i = 0; i < desktop.node_count; i++)
    for (int a = 0; a < desktop.nodes[i].attribute_count; a++) {
      CFTypeRef value = desktop.nodes[i].attributes[a].value;
      count += counted(value) + (type_of(value) == ARRAY ? CFArrayGetCount(value) : 0);
    }
  return count;
}

void standin_reset(void) {
  for (int i = 0; i < desktop.node_count; i++) {
    Node *node = &desktop.nodes[i];
    for (int a = 0; a < node->attribute_count; a++)
      if (node->attributes[a].value != NULL) released(node->attributes[a].value);
    free(node->children);
  }
  free(desktop.nodes);
  memset(&desktop, 0, sizeof desktop);
  desktop.nodes = calloc(MOST_ELEMENTS, sizeof(Node));
  reset_input();
  reset_pasteboard();
  forget_applications();
  reset_pictures();
  reset_launching();
  desktop.may_record = desktop.shows_names = 1;
}

static int add_node(int app, int parent) {
  if (desktop.node_count == MOST_ELEMENTS) die("too many elements");
  int element = ++desktop.node_count;
  Node *node = node_of(element);
  node->app = app;
  node->parent = parent;
  if (parent != 0) {
    Node *above = node_of(parent);
    if (above->child_count == above->child_room) {
      above->child_room = above->child_room * 2 + 8;
      above->children = realloc(above->children, above->child_room * sizeof(int));
    }
    above->children[above->child_count++] = element;
  }
  return element;
}

int standin_add_app(int32_t pid, const char *name, const char *bundle, long policy) {
  if (desktop.app_count == MOST_APPS) die("too many applications");
  App *app = &desktop.apps[desktop.app_count];
  *app = (App){ .pid = pid, .policy = policy };
  snprintf(app->name, sizeof app->name, "%s", name);
  snprintf(app->bundle, sizeof app->bundle, "%s", bundle);
  return app->root = add_node(desktop.app_count++, 0);
}
void standin_end_app(int32_t pid) { app_of(pid)->ended = 1; }
void standin_set_front(int32_t pid) { desktop.front = pid; }
void standin_hang(int32_t pid, int hung) { app_of(pid)->hung = hung; }
/* It answers, and names no windows of its own; 2: it has no such attribute. */
void standin_windowless(int32_t pid, int how) { app_of(pid)->windowless = how; }
/* For a reason of its own it says that accessibility is not allowed. */
void standin_refuses(int32_t pid, int refuses) { app_of(pid)->refusing = refuses; }
void standin_program(int32_t pid, const char *path) { snprintf(app_of(pid)->program, sizeof app_of(pid)->program, "%s", path); }
void standin_responsible(int32_t pid, int32_t responsible) { app_of(pid)->responsible = responsible; }
/* A call to it never returns, or ends this process. */
void standin_block(int32_t pid) { desktop.blocked = pid; }
void standin_crash(int32_t pid) { desktop.crashing = pid; }
/* As Chromium: answers everything but who has the focus. */
void standin_silent_focus(int32_t pid) { app_of(pid)->silent_focus = 1; }
void standin_focus(int32_t pid, int window, int element) {
  app_of(pid)->focused_window = window;
  app_of(pid)->focused_element = element;
}
int standin_focused(int32_t pid) { return app_of(pid) == NULL ? 0 : app_of(pid)->focused_element; }
int standin_front(void) { return desktop.front; }
int standin_runs(int32_t pid) { return app_of(pid) != NULL; }
int standin_under(double x, double y) { return element_under(0, x, y); }
static const char *place(Rect at) {
  static char text[100];
  snprintf(text, sizeof text, "[%g,%g,%g,%g]", at.x, at.y, at.width, at.height);
  return text;
}
const char *standin_place(int element) { return place(node_of(element)->frame); }
const char *standin_window_place(uint32_t number) {
  for (int i = 0; i < desktop.window_count; i++)
    if (desktop.windows[i].number == number) return place(desktop.windows[i].bounds);
  return "null";
}
void standin_raise(uint32_t number) { to_front(number); }
void standin_trust(int trusted) { desktop.untrusted = !trusted; }
/* Trusted, and refused all the same. */
void standin_stale_trust(int stale) { desktop.stale_trust = stale; }
/* What is said, and what is so. */
void standin_record(int may, int shows_names) { desktop.may_record = may, desktop.shows_names = shows_names; }
void standin_latency(int microseconds) { desktop.latency_us = microseconds; }
long standin_ax_calls(void) { return desktop.ax_calls; }
long standin_hung_calls(void) { return desktop.hung_calls; }

int standin_add_element(int parent) { return add_node(node_of(parent)->app, parent); }
void standin_remove_element(int element) { node_of(element)->gone = 1; }
void standin_frame(int element, double x, double y, double width, double height) {
  node_of(element)->frame = (Rect){ x, y, width, height };
  node_of(element)->has_frame = 1;
}
/* A child that is above itself. */
void standin_adopt(int parent, int child) {
  Node *above = node_of(parent);
  above->children = realloc(above->children, (above->child_count + 1) * sizeof(int));
  above->child_room = above->child_count + 1;
  above->children[above->child_count++] = child;
}

static void set(int element, const char *name, CFTypeRef value, int settable) {
  Node *node = node_of(element);
  for (int i = 0; i < node->attribute_count; i++)
    if (strcmp(node->attributes[i].name, name) == 0) {
      released(node->attributes[i].value);
      node->attributes[i].value = value;
      node->attributes[i].settable = settable;
      return;
    }
  if (node->attribute_count == MOST_ATTRIBUTES) die("too many attributes");
  Attribute *attribute = &node->attributes[node->attribute_count++];
  snprintf(attribute->name, sizeof attribute->name, "%s", name);
  attribute->value = value;
  attribute->settable = settable;
}
void standin_text(int element, const char *name, const char *text, int settable) { set(element, name, make_text(text), settable); }
/* What an attribute says now; "" where it is no text. */
const char *standin_said(int element, const char *name) {
  static char utf8[65536];
  Node *node = node_of(element);
  *utf8 = 0;
  for (int i = 0; i < node->attribute_count; i++) {
    if (strcmp(node->attributes[i].name, name) != 0) continue;
    CFTypeRef value = node->attributes[i].value;
    if (type_of(value) == STRING) text_bytes(value, utf8, sizeof utf8);
    if (type_of(value) == NUMBER) snprintf(utf8, sizeof utf8, "%g", number_of(value));
    if (type_of(value) == BOOLEAN) snprintf(utf8, sizeof utf8, "%d", CFBooleanGetValue(value));
  }
  return utf8;
}
void standin_number(int element, const char *name, double number, int settable) {
  set(element, name, number == (int64_t)number ? make_integer(number) : make_double(number), settable);
}
void standin_boolean(int element, const char *name, int value, int settable) { set(element, name, make_boolean(value), settable); }
void standin_reference(int element, const char *name, int other) {
  Element *reference = make(sizeof(Element), ELEMENT);
  reference->pid = desktop.apps[node_of(other)->app].pid;
  reference->element = other;
  set(element, name, reference, 0);
}
/* Of some of its children. */
void standin_child_list(int element, const char *name, int from, int count) {
  Node *node = node_of(element);
  CFTypeRef items[count];
  if (from + count > node->child_count) die("there are %d children", node->child_count);
  for (int i = 0; i < count; i++) {
    Element *item = make(sizeof(Element), ELEMENT);
    item->pid = desktop.apps[node->app].pid;
    item->element = node->children[from + i];
    items[i] = item;
  }
  set(element, name, make_array(count, items), 0);
  for (int i = 0; i < count; i++) released(items[i]);
}
void standin_empty_list(int element, const char *name, int settable) { set(element, name, make_array(0, NULL), settable); }
void standin_action(int element, const char *name, int mode) {
  Node *node = node_of(element);
  if (node->action_count == MOST_ACTIONS) die("too many actions");
  snprintf(node->actions[node->action_count].name, 40, "%s", name);
  node->actions[node->action_count++].mode = mode;
}

/* A window of a higher level is above all of lower ones; 0: as far in front as its level allows. */
static void place_window(Window window, int behind) {
  int at = 0;
  while (at < desktop.window_count && desktop.windows[at].layer + behind > window.layer) at++;
  memmove(desktop.windows + at + 1, desktop.windows + at, (desktop.window_count++ - at) * sizeof window);
  desktop.windows[at] = window;
}
/* Front to back: each new window is behind those before, of its level. */
void standin_add_window(uint32_t number, int32_t pid, int element, int layer, double x, double y, double width, double height) {
  if (desktop.window_count == MOST_WINDOWS) die("too many windows");
  place_window((Window){ number, pid, layer, { x, y, width, height }, 1, 1, 0, 0, { x, y, width, height } }, 1);
  if (element != 0) {
    node_of(element)->window = (int)number;
    standin_frame(element, x, y, width, height);
  }
}
void to_front(uint32_t number) {
  Window *window = window_of(number), raised = *window;
  memmove(window, window + 1, (desktop.windows + desktop.window_count-- - window - 1) * sizeof raised);
  place_window(raised, 0);
}
/* Of an element that is no window to accessibility: in front of what is there, and taken away with it. */
void standin_add_surface(uint32_t number, int element, int layer) {
  Node *node = node_of(element);
  Rect at = node->frame;
  standin_add_window(number, desktop.apps[node->app].pid, 0, layer, at.x, at.y, at.width, at.height);
  node->surface = (int)number;
  to_front(number);
}
Window *window_of(uint32_t number) {
  for (int i = 0; i < desktop.window_count; i++)
    if (desktop.windows[i].number == number) return &desktop.windows[i];
  die("there is no window %u", number);
}
void standin_show_window(uint32_t number, int shown) { window_of(number)->on_screen = shown; }
void standin_window_alpha(uint32_t number, double alpha) { window_of(number)->alpha = alpha; }
void standin_passes_hits(uint32_t number) { window_of(number)->passes_hits = 1; }
/* It takes clicks, and its application knows it: only the hit test of the system passes over it. */
void standin_passes_system_hits(uint32_t number) { window_of(number)->passes_hits = 2; }

void standin_add_display(uint32_t id, const char *name, double x, double y, double width, double height, double scale, uint32_t mirrors) {
  if (desktop.display_count == MOST_DISPLAYS) die("too many displays");
  Display *display = &desktop.displays[desktop.display_count++];
  *display = (Display){ id, { x, y, width, height }, width, width * scale, mirrors, "", "", { x, y + 25, width, height - 25 } };
  snprintf(display->name, sizeof display->name, "%s", name);
}

/* How it takes a new place and size. */
void standin_frame_mode(int window, int mode) { node_of(window)->frame_mode = mode; }
void standin_quit_mode(int32_t pid, int mode) { app_of(pid)->quit_mode = mode; }
/* A menu that is there only while its button is open. */
void standin_popup(int button, int menu) {
  node_of(button)->menu = menu;
  node_of(menu)->menu_of = button;
  node_of(menu)->gone = 1;
}
/* A button that closes its window, asks first, or does nothing. */
void standin_close_button(int button, int window, int mode) {
  node_of(button)->closes = window;
  node_of(button)->close_mode = mode;
}
void add_sheet(int window) {
  int sheet = add_node(node_of(window)->app, window);
  set(sheet, "AXRole", make_text("AXSheet"), 0);
}

int standin_journal_count(void) { return desktop.journal_count; }
const char *standin_journal_at(int index) { return desktop.journal[index]; }
