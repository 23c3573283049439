/* The one scripted desktop behind accessibility, windows, displays and applications. Tests fill it through the standin_ functions. */
#pragma once
#include "objects.h"

#define MOST_APPS 16
#define MOST_ELEMENTS 20000
#define MOST_ATTRIBUTES 24
#define MOST_ACTIONS 6
#define MOST_WINDOWS 64
#define MOST_DISPLAYS 4
#define MOST_JOURNAL 4096

typedef struct { double x, y, width, height; } Rect;

/* What a reading asks, kept for the loop that it is held against. */
enum { ONE_VALUE, VALUES, SETTABLE_, ACTION_NAMES, WINDOW_NUMBER };
void note_call(int kind, CFTypeRef element, CFTypeRef with);

/* How an attribute or action takes what it is asked. */
enum { REFUSES = 0, DOES = 1, PRETENDS = 2, DOES_AND_TIMES_OUT = 3, LIMITS = 4, ASKS = 5 };

typedef struct { char name[40]; CFTypeRef value; int settable; } Attribute;
typedef struct { char name[40]; int mode; } Action;

typedef struct {
  int app, parent, gone, window; /* window: its number, for the element of a window */
  int searches; /* a page: 1 as Chromium answers a search for its fields, 2 with nothing */
  int surface; /* a row of its own in the list of windows, for what AXWindows does not name: a sheet, a popover, a menu */
  int *children, child_count, child_room;
  int has_frame;
  Rect frame;
  Attribute attributes[MOST_ATTRIBUTES];
  int attribute_count;
  Action actions[MOST_ACTIONS];
  int action_count;
  int menu, menu_of; /* of a pop-up button: its menu, there while it is open */
  int closes, close_mode; /* a close button: the element of its window */
  int frame_mode, resized; /* how a window takes frames; whether its size has changed since it was listed */
  Rect before;
} Node;

typedef struct {
  int32_t pid;
  char name[64], bundle[64], program[96];
  long policy;
  int ended, hung, silent_focus, windowless, refusing; /* windowless: AXWindows is empty; refusing: the error of missing permission */
  int root, focused_element, focused_window, quit_mode, unready, responsible; /* responsible: a pid; 0: itself */
} App;

typedef struct { uint32_t number; int32_t pid; int layer; Rect bounds; double alpha; int on_screen, passes_hits, late; Rect next; } Window;
typedef struct { uint32_t id; Rect bounds; size_t points, pixels; uint32_t mirrors; const char *uuid; char name[40]; Rect visible; } Display;

typedef struct {
  App apps[MOST_APPS];
  int app_count, front;
  Node *nodes;
  int node_count;
  Window windows[MOST_WINDOWS];
  int window_count;
  Display displays[MOST_DISPLAYS];
  int display_count;
  char journal[MOST_JOURNAL][96];
  int journal_count;
  int untrusted, stale_trust, may_record, shows_names, latency_us;
  int32_t blocked, crashing;
  long ax_calls, hung_calls;
} Desktop;

extern Desktop desktop;

App *app_of(int32_t pid);
Node *node_of(int element);
Window *window_of(uint32_t number);
void add_sheet(int window);
int inside(const Rect *rect, double x, double y);
void reset_input(void);
void reset_pasteboard(void);
void reset_pictures(void);
void reset_launching(void);
void call_later(const void *block, CFTypeRef result, CFTypeRef error, int times, int of_kit);
CFTypeRef make_error(long code);
long pasteboard_objects(void);
/* Tells an application that is written in JavaScript; 0 where there is none. */
int happened(const char *what, int element, const char *text, double x, double y);
int element_under(int32_t pid, double x, double y);
void to_front(uint32_t number);
void forget_applications(void);
void tapped(uint32_t type, CFTypeRef event);
void notify(int32_t pid, const char *name);
void add_source(CFTypeRef source, int added);
void tell(const char *format, ...) __attribute__((format(printf, 1, 2)));
