import { sep } from 'node:path';

interface ProgramStart {
  execPath: string;
  env: Readonly<Record<string, string | undefined>>;
}

/**
 * The executable that starts this program again. For an AppImage that is the image file: its mounted folder exists only while it runs.
 * Programs that an AppImage starts inherit the variables too, so they count only for an executable inside that folder.
 */
export function ownProgram({ execPath, env }: ProgramStart = process): string {
  const { APPIMAGE: image, APPDIR: folder } = env;
  return image && folder && execPath.startsWith(folder + sep) ? image : execPath;
}
