// Why the data folder cannot be used, in words for the operator.

/** The operator has to do what the message says. */
export class DataDirFault extends Error {
  override readonly name: string = 'DataDirFault';
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'this user may not use it',
  EPERM: 'this user may not use it',
  EROFS: 'its file system is read-only',
  ENOSPC: 'its file system is full',
  EDQUOT: "this user's disk quota is used up",
  ENOTDIR: 'a part of the path is not a folder',
  EEXIST: 'it is not a folder',
  ENOENT: 'it cannot be created there',
  ELOOP: 'a link in the path leads to itself',
  ENAMETOOLONG: 'the path is too long',
};

/** Says which setting an error of the file system is about, and what is wrong; returns any other error unchanged. */
export function toDataDirFault(cause: unknown, dataDir: string): unknown {
  const { code = '', path } = cause as NodeJS.ErrnoException;
  const reason = reasons[code];
  if (reason === undefined || path === undefined) return cause;
  const place = path === dataDir ? '' : ` (${code} at ${path})`;
  return new DataDirFault(
    `DATA_DIR is ${dataDir}, which cannot be used: ${reason}${place}. Make it a folder that this user can write, or choose another DATA_DIR.`,
    { cause },
  );
}

/** Reads from PostgreSQL's own words what keeps it from its files. */
export function reasonInLines(lines: readonly string[]): string | undefined {
  return lines.findLast((line) => /Permission denied|Read-only file system|No space left on device/.test(line));
}
