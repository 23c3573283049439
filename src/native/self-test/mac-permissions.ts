/** As another library reads them, of the process that answers for this one. `listening`: Input Monitoring. */
export interface SeenPermissions {
  accessibility: string;
  screen: string;
  listening: string;
}

interface Told {
  accessibility: string;
  screenRecording: string;
}

/** Whether what the backend says fits it. A stale entry counts as allowed for the system; what is unknown fits anything. */
export function permissionsAgree(seen: SeenPermissions, told: Told): boolean {
  const fits = (status: string, state: string): boolean =>
    state === 'unknown' || (status === 'authorized') === (state !== 'missing');
  return fits(seen.accessibility, told.accessibility) && fits(seen.screen, told.screenRecording);
}
