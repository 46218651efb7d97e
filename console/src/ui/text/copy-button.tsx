// Copies a text, and says that it did.
import { useState } from 'react';
import { Button, IconButton } from '../button.tsx';
import { CheckIcon, CopyIcon } from '../icons.tsx';

const saidMs = 2_000;

/** `isSmall`: an icon. */
export function CopyButton({
  text,
  label = 'Copy',
  isSmall = true,
}: {
  text: string;
  label?: string;
  isSmall?: boolean;
}) {
  const [isCopied, setCopied] = useState(false);
  async function copy() {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), saidMs);
  }
  const said = isCopied ? 'Copied' : label;
  if (!isSmall) {
    return (
      <Button onClick={() => void copy()}>
        {isCopied ? <CheckIcon /> : <CopyIcon />}
        <span aria-live="polite">{said}</span>
      </Button>
    );
  }
  return (
    <IconButton label={said} onClick={() => void copy()}>
      {isCopied ? <CheckIcon /> : <CopyIcon />}
    </IconButton>
  );
}
