/*
 * An AppKit application that writes each interaction to a journal: the judge of what reached it, as gtk-fixture.py is on Linux.
 *
 * usage: appkit-fixture --journal FILE [--title TITLE] [--place X,Y] [--second] [--secret TEXT] [--story FILE] [--controls] [--rows N]
 * Each line of the journal is a JSON object {"control", "event", "value"}. No ARC: it ends with what it made.
 */
#import <AppKit/AppKit.h>
#include <fcntl.h>
#include <unistd.h>

static int journal = -1;

static void tell(NSString *control, NSString *event, NSString *value) {
  NSDictionary *entry = [NSDictionary dictionaryWithObjectsAndKeys:control, @"control", event, @"event", value, @"value", nil];
  NSMutableData *line = [[NSJSONSerialization dataWithJSONObject:entry options:0 error:NULL] mutableCopy];
  [line appendBytes:"\n" length:1];
  if (write(journal, [line bytes], [line length]) != (ssize_t)[line length]) exit(1);
}

static NSString *given(NSString *name) {
  NSArray *all = [[NSProcessInfo processInfo] arguments];
  NSUInteger at = [all indexOfObject:name];
  return at == NSNotFound || at + 1 >= [all count] ? @"" : [all objectAtIndex:at + 1];
}
static BOOL has(NSString *name) { return [[[NSProcessInfo processInfo] arguments] containsObject:name]; }

/* Its name for accessibility; GNUstep has none. */
static void name(NSView *view, NSString *title) {
  SEL setTitle = NSSelectorFromString(@"setAccessibilityTitle:");
  if ([view respondsToSelector:setTitle]) [view performSelector:setTitle withObject:title];
}

@interface Button : NSButton {
 @public
  NSString *control;
}
@end

@implementation Button
- (void)pointed:(NSString *)which {
  if ([control isEqualToString:@"send"]) tell(control, @"pointer", which);
}
- (void)mouseDown:(NSEvent *)event {
  [self pointed:@"left"];
  [super mouseDown:event];
}
- (void)rightMouseDown:(NSEvent *)event { [self pointed:@"right"]; }
- (void)otherMouseDown:(NSEvent *)event { [self pointed:@"middle"]; }
@end

@interface Fixture : NSObject {
  NSWindow *window;
  NSTextField *entry;
  NSTextView *story;
  NSTableView *table;
  NSArray *rows;
  NSString *lastEntry, *lastStory;
}
@end

@implementation Fixture
- (void)add:(NSView *)view at:(NSRect)frame {
  NSView *content = [window contentView];
  [view setFrame:NSMakeRect(frame.origin.x, [content frame].size.height - frame.origin.y - frame.size.height, frame.size.width, frame.size.height)];
  [content addSubview:view];
}
- (Button *)button:(NSString *)title control:(NSString *)control at:(NSRect)frame {
  Button *button = [[Button alloc] initWithFrame:frame];
  button->control = [control retain];
  [button setTitle:title];
  [button setBezelStyle:NSRoundedBezelStyle];
  [button setTarget:self];
  [button setAction:@selector(pressed:)];
  [self add:button at:frame];
  return button;
}
- (void)pressed:(Button *)button {
  BOOL toggles = [button->control isEqualToString:@"toggle"];
  tell(button->control, toggles ? @"toggled" : @"pressed", toggles ? ([button state] == NSOnState ? @"true" : @"false") : @"");
  if ([button->control isEqualToString:@"removed"]) [button removeFromSuperview];
}
- (NSScrollView *)scroller:(NSView *)document at:(NSRect)frame {
  NSScrollView *scroller = [[NSScrollView alloc] initWithFrame:frame];
  [scroller setHasVerticalScroller:YES];
  [scroller setDocumentView:document];
  [self add:scroller at:frame];
  return scroller;
}

- (void)addMain {
  [self button:@"Send" control:@"send" at:NSMakeRect(20, 20, 100, 30)];
  [[self button:@"Remind me" control:@"toggle" at:NSMakeRect(140, 20, 140, 30)] setButtonType:NSSwitchButton];
  [[self button:@"Locked" control:@"disabled" at:NSMakeRect(20, 60, 100, 30)] setEnabled:NO];
  [self button:@"Temporary" control:@"removed" at:NSMakeRect(140, 60, 140, 30)];
  entry = [[NSTextField alloc] initWithFrame:NSZeroRect];
  name(entry, @"Name");
  [self add:entry at:NSMakeRect(20, 100, 360, 24)];
  NSSecureTextField *password = [[NSSecureTextField alloc] initWithFrame:NSZeroRect];
  [password setStringValue:given(@"--secret")];
  name(password, @"Secret");
  [self add:password at:NSMakeRect(20, 134, 360, 24)];
  story = [[NSTextView alloc] initWithFrame:NSMakeRect(0, 0, 340, 130)];
  NSString *text = [NSString stringWithContentsOfFile:given(@"--story") encoding:NSUTF8StringEncoding error:NULL];
  [story setString:text == nil ? @"" : text];
  [story setVerticallyResizable:YES];
  [story setAllowsUndo:YES];
  name(story, @"Story");
  NSScrollView *scroller = [self scroller:story at:NSMakeRect(20, 170, 360, 130)];
  [[scroller contentView] setPostsBoundsChangedNotifications:YES];
  [[NSNotificationCenter defaultCenter] addObserver:self selector:@selector(scrolled:) name:NSViewBoundsDidChangeNotification object:[scroller contentView]];
  [story scrollRangeToVisible:NSMakeRange(0, 0)];
  [window setInitialFirstResponder:entry];
  lastEntry = @"";
  lastStory = [[story string] copy];
  /* Texts that accessibility sets tell no delegate. */
  [NSTimer scheduledTimerWithTimeInterval:0.01 target:self selector:@selector(look:) userInfo:nil repeats:YES];
}
- (void)scrolled:(NSNotification *)told {
  tell(@"area", @"scrolled", [NSString stringWithFormat:@"%g", [[told object] bounds].origin.y]);
}
- (NSString *)changed:(NSString *)control from:(NSString *)last to:(NSString *)now {
  if ([now isEqualToString:last]) return last;
  tell(control, @"changed", now);
  return [now copy];
}
- (void)look:(NSTimer *)timer {
  NSText *editor = [entry currentEditor];
  lastEntry = [self changed:@"entry" from:lastEntry to:editor == nil ? [entry stringValue] : [editor string]];
  lastStory = [self changed:@"area" from:lastStory to:[story string]];
}

- (void)addTable:(NSString *)title rows:(NSArray *)names {
  rows = [names retain];
  table = [[NSTableView alloc] initWithFrame:NSMakeRect(0, 0, 340, 200)];
  NSTableColumn *column = [[NSTableColumn alloc] initWithIdentifier:@"name"];
  [column setEditable:NO];
  [column setWidth:320];
  [table addTableColumn:column];
  [table setHeaderView:nil];
  [table setDataSource:(id)self];
  [table setDelegate:(id)self];
  name(table, title);
  [self scroller:table at:NSMakeRect(20, 20, 360, 200)];
  [table reloadData];
}
- (NSInteger)numberOfRowsInTableView:(NSTableView *)of { return (NSInteger)[rows count]; }
- (id)tableView:(NSTableView *)of objectValueForTableColumn:(NSTableColumn *)column row:(NSInteger)row { return [rows objectAtIndex:(NSUInteger)row]; }
- (void)tableViewSelectionDidChange:(NSNotification *)told {
  NSInteger row = [table selectedRow];
  tell(@"fruits", @"selected", row < 0 ? @"" : [rows objectAtIndex:(NSUInteger)row]);
}

/* Keys of commands work by a menu only. */
- (void)addMenu {
  NSMenu *bar = [[NSMenu alloc] initWithTitle:@""], *edit = [[NSMenu alloc] initWithTitle:@"Edit"];
  [bar addItemWithTitle:@"Fixture" action:NULL keyEquivalent:@""];
  [[bar addItemWithTitle:@"Edit" action:NULL keyEquivalent:@""] setSubmenu:edit];
  [edit addItemWithTitle:@"Cut" action:@selector(cut:) keyEquivalent:@"x"];
  [edit addItemWithTitle:@"Copy" action:@selector(copy:) keyEquivalent:@"c"];
  [edit addItemWithTitle:@"Paste" action:@selector(paste:) keyEquivalent:@"v"];
  [edit addItemWithTitle:@"Select All" action:@selector(selectAll:) keyEquivalent:@"a"];
  [NSApp setMainMenu:bar];
}
- (void)applicationDidFinishLaunching:(NSNotification *)told {
  NSUInteger style = NSTitledWindowMask | NSClosableWindowMask | NSMiniaturizableWindowMask | NSResizableWindowMask;
  window = [[NSWindow alloc] initWithContentRect:NSMakeRect(0, 0, 400, 320) styleMask:style backing:NSBackingStoreBuffered defer:NO];
  [window setTitle:has(@"--title") ? given(@"--title") : @"Contract fixture"];
  int count = [given(@"--rows") intValue];
  NSMutableArray *numbered = [NSMutableArray array];
  for (int row = 1; row <= count; row++) [numbered addObject:[NSString stringWithFormat:@"Row %d", row]];
  if (count > 0) [self addTable:@"Rows" rows:numbered];
  else if (has(@"--controls")) {
    [self addTable:@"Fruits" rows:[NSArray arrayWithObjects:@"Apple", @"Banana", @"Cherry", nil]];
    [self button:@"Animals" control:@"animals" at:NSMakeRect(20, 240, 120, 30)];
  } else if (has(@"--second")) [self button:@"Other" control:@"other" at:NSMakeRect(20, 20, 100, 30)];
  else [self addMain];
  NSArray *place = [given(@"--place") componentsSeparatedByString:@","];
  CGFloat height = [[[NSScreen screens] objectAtIndex:0] frame].size.height;
  if ([place count] == 2) [window setFrameTopLeftPoint:NSMakePoint([[place objectAtIndex:0] doubleValue], height - [[place objectAtIndex:1] doubleValue])];
  [window makeKeyAndOrderFront:nil];
  [NSApp activateIgnoringOtherApps:YES];
}
@end

int main(void) {
  NSAutoreleasePool *pool = [[NSAutoreleasePool alloc] init];
  journal = open([given(@"--journal") fileSystemRepresentation], O_WRONLY | O_CREAT | O_APPEND, 0600);
  if (journal < 0) return 1;
  /* What is typed stays as it was typed. */
  NSArray *off = [NSArray arrayWithObjects:@"NSAutomaticQuoteSubstitutionEnabled", @"NSAutomaticDashSubstitutionEnabled", @"NSAutomaticSpellingCorrectionEnabled", @"NSAutomaticTextReplacementEnabled", nil];
  for (NSString *each in off) [[NSUserDefaults standardUserDefaults] setBool:NO forKey:each];
  NSApplication *app = [NSApplication sharedApplication];
  if ([app respondsToSelector:@selector(setActivationPolicy:)]) [app setActivationPolicy:NSApplicationActivationPolicyRegular];
  Fixture *fixture = [[Fixture alloc] init];
  [app setDelegate:(id)fixture];
  [fixture addMenu];
  [app run];
  [pool release];
  return 0;
}
