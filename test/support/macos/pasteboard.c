/* The general pasteboard: items with types; a new count for each change. Data may be promised, and reading may be forbidden. */
#include "desktop.h"
#include "runtime.h"
#include <string.h>

#define MOST_ITEMS 8
#define MOST_TYPES 8

typedef struct { CFTypeRef type, value; } Entry;
typedef struct { Entry entries[MOST_TYPES]; int count; } Item;

static struct { Item items[MOST_ITEMS]; int item_count, taken, promised; long changes, behavior; int old; } board;
static Class *board_class, *item_class;
/* One that a program makes and writes. */
typedef struct { Header head; Item item; } OwnItem;

static void empty(void) {
  for (int i = 0; i < board.item_count; i++)
    for (int e = 0; e < board.items[i].count; e++) released(board.items[i].entries[e].type), released(board.items[i].entries[e].value);
  memset(board.items, 0, sizeof board.items);
  board.item_count = 0;
  board.changes++;
}
void reset_pasteboard(void) {
  empty();
  board.taken = board.old = board.promised = 0;
  board.behavior = 0;
}
static void put(int item, CFTypeRef type, CFTypeRef value) {
  if (item >= MOST_ITEMS || board.items[item].count == MOST_TYPES) die("too much for the pasteboard");
  if (item >= board.item_count) board.item_count = item + 1;
  board.items[item].entries[board.items[item].count++] = (Entry){ type, value };
}
/* Another program copies; item 0 first. */
void standin_copy(int item, const char *type, const char *text) {
  if (item == 0) empty();
  put(item, make_text(type), make_text(text));
}
void standin_also(int item, const char *type, const char *text) { put(item, make_text(type), make_text(text)); }
/* Text is UTF-8 as data, and back. */
static void shown_bytes(CFTypeRef value, char *utf8, size_t room) {
  if (type_of(value) == STRING) return text_bytes(value, utf8, room);
  size_t whole = CFDataGetLength(value), length = whole < room ? whole : room - 1;
  memcpy(utf8, CFDataGetBytePtr(value), length);
  utf8[length] = 0;
}
static CFTypeRef as_kind(CFTypeRef value, uint32_t kind) {
  static char utf8[4000000];
  if (type_of(value) == kind) return retained(value);
  shown_bytes(value, utf8, sizeof utf8);
  return kind == STRING ? make_text(utf8) : make_data(utf8, (long)strlen(utf8));
}
/* As an application pastes; "" where there is no text. */
const char *standin_pasted(void) {
  static char utf8[65536];
  *utf8 = 0;
  for (int i = 0; i < board.item_count; i++)
    for (int e = 0; e < board.items[i].count; e++)
      if (text_is(board.items[i].entries[e].type, "public.utf8-plain-text")) shown_bytes(board.items[i].entries[e].value, utf8, sizeof utf8);
  return utf8;
}
void standin_clipboard_access(long behavior, int old) { board.behavior = behavior, board.old = old; }
/* Another program takes it right after it was emptied. */
void standin_clipboard_taken(int taken) { board.taken = taken; }

/* Its owner does not give what it has promised. */
void standin_clipboard_promised(int promised) { board.promised = promised; }

static CFTypeRef instance_of(Class *class, int32_t index) {
  Instance *made = make(sizeof(Instance), INSTANCE);
  made->head.isa = class;
  made->pid = index;
  return autoreleased(made);
}
static CFTypeRef general_pasteboard(void) { return on_main_thread("NSPasteboard"), instance_of(board_class, 0); }
static long change_count(void) { return board.changes; }
static long clear_contents(void) { return empty(), board.changes; }
static long access_behavior(void) {
  if (board.old) die("accessBehavior: unrecognized selector");
  return board.behavior;
}
static signed char responds(CFTypeRef self, const char *selector, const void *asked) { return !(board.old && strcmp(selector_name(asked), "accessBehavior") == 0); }
static CFTypeRef types(void) {
  CFTypeRef all[MOST_ITEMS * MOST_TYPES];
  long count = 0;
  for (int i = 0; i < board.item_count; i++)
    for (int e = 0; e < board.items[i].count; e++) all[count++] = board.items[i].entries[e].type;
  return autoreleased(make_array(count, all));
}
static CFTypeRef items(void) {
  CFTypeRef all[MOST_ITEMS];
  for (int i = 0; i < board.item_count; i++) all[i] = instance_of(item_class, i);
  return autoreleased(make_array(board.item_count, all));
}
static CFTypeRef value_in(CFTypeRef self, CFTypeRef type, uint32_t kind) {
  Instance *from = checked(self, INSTANCE);
  if (board.behavior == 1) return tell("a question that nobody sees"), NULL;
  if (board.behavior == 3) return NULL;
  for (int i = 0; i < board.item_count; i++) {
    if (from->head.isa == item_class && from->pid != i) continue;
    for (int e = 0; e < board.items[i].count; e++) {
      Entry *entry = &board.items[i].entries[e];
      if (!same(entry->type, type)) continue;
      char name[64];
      text_bytes(type, name, sizeof name);
      tell("read %s", name);
      return board.promised ? NULL : autoreleased(as_kind(entry->value, kind));
    }
  }
  return NULL;
}
static CFTypeRef string_for_type(CFTypeRef self, const char *selector, CFTypeRef type) { return value_in(self, type, STRING); }
static CFTypeRef data_for_type(CFTypeRef self, const char *selector, CFTypeRef type) { return value_in(self, type, DATA); }
static signed char set_value(CFTypeRef value, uint32_t kind, CFTypeRef type) {
  checked(value, kind), checked(type, STRING);
  if (board.taken) return 0;
  put(0, retained(type), retained(value));
  return 1;
}
static signed char set_string(CFTypeRef self, const char *selector, CFTypeRef value, CFTypeRef type) { return set_value(value, STRING, type); }
static signed char set_data(CFTypeRef self, const char *selector, CFTypeRef value, CFTypeRef type) { return set_value(value, DATA, type); }

static CFTypeRef item_types(CFTypeRef self) {
  Item *item = &board.items[((Instance *)checked(self, INSTANCE))->pid];
  CFTypeRef all[MOST_TYPES] = { NULL };
  for (int e = 0; e < item->count; e++) all[e] = item->entries[e].type;
  return autoreleased(make_array(item->count, all));
}
static CFTypeRef item_alloc(void) {
  OwnItem *item = make(sizeof(OwnItem), ITEM);
  item->head.isa = item_class;
  return item;
}
static CFTypeRef item_init(CFTypeRef self) { return checked(self, ITEM); }
static signed char item_set_data(CFTypeRef self, const char *selector, CFTypeRef value, CFTypeRef type) {
  Item *item = &((OwnItem *)checked(self, ITEM))->item;
  if (item->count == MOST_TYPES) die("too many types for an item");
  item->entries[item->count++] = (Entry){ retained(checked(type, STRING)), retained(checked(value, DATA)) };
  return 1;
}
void end_item(Header *head) {
  if (head->type != ITEM) return;
  Item *item = &((OwnItem *)head)->item;
  for (int e = 0; e < item->count; e++) released(item->entries[e].type), released(item->entries[e].value);
}
static signed char write_objects(CFTypeRef self, const char *selector, CFTypeRef list) {
  long count = CFArrayGetCount(list);
  CFTypeRef objects[count + 1];
  CFArrayGetValues(list, 0, count, objects);
  if (board.taken) return 0;
  for (long i = 0; i < count; i++) {
    Item *item = &((OwnItem *)checked(objects[i], ITEM))->item;
    for (int e = 0; e < item->count; e++) put((int)i, retained(item->entries[e].type), retained(item->entries[e].value));
  }
  return 1;
}

static const Method item_class_methods[] = { { "alloc", item_alloc }, { NULL, NULL } };
static const Method board_class_methods[] = { { "generalPasteboard", general_pasteboard }, { NULL, NULL } };
static const Method board_methods[] = {
  { "changeCount", change_count }, { "clearContents", clear_contents }, { "accessBehavior", access_behavior }, { "respondsToSelector:", responds },
  { "types", types }, { "pasteboardItems", items }, { "stringForType:", string_for_type }, { "dataForType:", data_for_type },
  { "setString:forType:", set_string }, { "setData:forType:", set_data }, { "writeObjects:", write_objects }, { NULL, NULL },
};
static const Method item_methods[] = {
  { "stringForType:", string_for_type }, { "dataForType:", data_for_type }, { "types", item_types },
  { "init", item_init }, { "setData:forType:", item_set_data }, { NULL, NULL },
};

/* Texts and data that it holds. */
long pasteboard_objects(void) {
  long count = 0;
  for (int i = 0; i < board.item_count; i++) count += 2 * board.items[i].count;
  return count;
}
__attribute__((constructor)) static void start(void) {
  board_class = class_named("NSPasteboard", board_class_methods, board_methods);
  item_class = class_named("NSPasteboardItem", item_class_methods, item_methods);
}
