import { sep } from 'node:path';

export interface Running {
  execPath: string;
  env: Readonly<Record<string, string | undefined>>;
}

/**
 * What starts this program again. An AppImage lies in a folder that is there only while it runs, so there it is the image itself. The
 * variables are also inherited by whatever an AppImage starts: they count only for a program that lies in that folder.
 */
export function ownProgram({ execPath, env }: Running = process): string {
  const { APPIMAGE: image, APPDIR: folder } = env;
  return image && folder && execPath.startsWith(folder + sep) ? image : execPath;
}
