/** What a command cannot do without; a server is somebody else's program, and our secrets are none of its business. */
const HANDED_ON = [
  ...['HOME', 'LANG', 'LC_ALL', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'TMPDIR', 'TZ', 'USER'],
  ...['APPDATA', 'COMSPEC', 'HOMEDRIVE', 'HOMEPATH', 'LOCALAPPDATA', 'PATHEXT', 'PROGRAMDATA'],
  ...['PROGRAMFILES', 'SYSTEMDRIVE', 'SYSTEMROOT', 'TEMP', 'TMP', 'USERNAME', 'USERPROFILE', 'WINDIR'],
]

export function handedOn(): { [name: string]: string } {
  const named = HANDED_ON.map((name) => [name, process.env[name]])
  return Object.fromEntries(named.filter(([, value]) => value !== undefined))
}
