import { requirements } from './requirement.js';

/** Where the time of a call goes. */
// prettier-ignore
export const SPEED = requirements('issue 10', {
  'TI-1': ['see it first', 'main-job', 'How long each stage of a call took, and how often it used the desktop, is the last line of its trace and part of its result; `chaperone call --timing` prints it.'],
  'PI-1': ['one picture', 'main-job', 'A picture of a window serves plan, comparison, evidence and verification only while the system says that the window was not painted, moved or resized; else it is taken again.'],
  'PI-2': ['one picture', 'main-job', 'Whatever must be covered is read again for a picture that is used again, and what was covered once stays covered.'],
  'PI-3': ['one picture', 'main-job', 'Where nobody is asked and the window rests, it is captured before the decision only for a target that its picture alone identifies.'],
  'PI-4': ['one picture', 'main-job', 'What a person decided while nobody waited is given to the same call only once its picture was drawn and shows the same.'],
  'WE-1': ['waiting is for events', 'main-job', 'Before an act its window has not been painted for two frames, counted from its last paint; one that rests is not waited for, however long ago it was looked at.'],
  'WE-2': ['waiting is for events', 'main-job', 'A change that an application told of is read a frame later, and once where it told of no other one meanwhile; all else that changed is read until it stands.'],
  'TI-2': ['see it first', 'app', 'The evidence of a call shows the stages as bars on one scale; a trace without times has no bars.'],
  'TI-3': ['see it first', 'main-job', 'Windows, their stacking and what is at a point are answered from memory after one round trip to the X server, and are what the server would answer then.'],
  'TI-4': ['starting', 'main-job', 'Shim, host and help start from few files of one bundle; modules compiled after it are started instead of it.'],
  'TI-5': ['starting', 'app', 'The page shows its name in its colours in the answer to its first request, before its code is there.'],
  'TI-6': ['the desktop as a live model', 'main-job', 'A tree of a long list or page is read with few calls, a search in it reads only what fits, and both show what asking for each element alone shows, also right after changes that the application does not tell of.'],
  'TI-8': ['starting', 'app', 'The code of other views than the first comes when the page has nothing to do; a view without its code says so, tries again when the host is back, and offers a reload where the host has another build.'],
  'GR-1': ['growth', 'main-job', 'A page of the filtered record looks at a bounded part of the index; it may be empty and have a next one, and the number of all is told once that is known.'],
  'GR-2': ['growth', 'main-job', 'Of a long conversation the newest part is in memory and in the log; the rest is in other files, from which going back reads it part by part.'],
  'TK-1': ['tokens', 'main-job', 'A tree may be told as what changed since an earlier answer that the agent names; both together say what the whole would.'],
  'TK-2': ['tokens', 'main-job', 'Where that answer is no longer kept, another agent’s, of another place or asked for otherwise, the tree is told whole, and so it always is to an agent that names none.'],
  'TK-3': ['tokens', 'main-job', 'A picture that looks the same as the one an agent names is told by the id of that one, which still serves for points and marks.'],
  'TK-4': ['tokens', 'main-job', 'A picture is sent where a pixel, its size, its place or a numbered control differs, and always where the agent names none of its own.'],
  'TI-7': ['the desktop as a live model', 'main-job', 'Trees, applications and launching take windows through one interface and import nothing of X11.'],
  'DC-1': ['the desktop as a live model', 'main-job', 'Elements of an application that has an accessibility bus of its own are read over that one.'],
  'DC-2': ['the desktop as a live model', 'main-job', 'An address that an application gives is used only where it is a socket at whose other end the kernel reports the process of that application.'],
  'WE-3': ['waiting is for events', 'main-job', 'What an application tells because its elements are read for the first time is no hint of a change; every other event is.'],
  'OA-1': ['once a stage', 'main-job', 'The ancestors of a target are read once for each plan, never from before the person was asked; what must be covered is asked for before and after each new picture, and once where a picture is used again.'],
  'OA-2': ['once a stage', 'main-job', 'After the decision the focus is read once and compared as it was read, unless it had to be restored: then it is read again.'],
  'AR-1': ['the desktop as a live model', 'main-job', 'What the last reading of a kind asked an application for one after another is asked for at once; every answer is of this reading, and nothing that acts is ever sent ahead.'],
  'AR-2': ['once a stage', 'main-job', 'What an act is compared with afterwards is read after its target was compared and before its first input, while the start is made durable.'],
});
