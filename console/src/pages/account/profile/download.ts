/** Gives the browser a text to keep as a file. */
export function download(name: string, text: string, type: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The click has started the download; the text need not stay in memory.
  URL.revokeObjectURL(url);
}
