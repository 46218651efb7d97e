// The program of the platform that opens a URL. None of them is a shell.

export function opener(platform: string, address: string): [program: string, args: string[]] {
  if (platform === 'darwin') return ['open', [address]];
  if (platform === 'win32') return ['rundll32', ['url.dll,FileProtocolHandler', address]];
  return ['xdg-open', [address]];
}
