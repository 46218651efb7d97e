// A secret that is shown once: copy it, download it, and say that it is kept before it goes.
import { useEffect, useState } from 'react';
import { Button, LinkButton } from '../button.tsx';
import { Dialog, DialogActions } from '../dialog/dialog.tsx';
import { Scroll } from '../layout/scroll.tsx';
import { CopyButton } from '../text/copy-button.tsx';
import css from './secret.module.css';

type Props = {
  title: string;
  description: string;
  lines: readonly string[];
  /** The download's name: `concord-backup-codes.txt`. */
  fileName: string;
  onClose: () => void;
};

export function SecretPanel({ title, description, lines, fileName, onClose }: Props) {
  const text = lines.join('\n');
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    const made = URL.createObjectURL(new Blob([`${text}\n`], { type: 'text/plain' }));
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [text]);
  return (
    <Dialog title={title} description={description} onClose={onClose} staysOpen>
      <Scroll label={title} className={css.secret}>
        <pre data-many={lines.length > 1 || undefined}>{text}</pre>
      </Scroll>
      <p className={css.once}>
        {lines.length > 1
          ? 'They are shown only now. Concord keeps only hashes of them.'
          : 'It is shown only now. Concord keeps only a hash of it.'}
      </p>
      <DialogActions>
        <CopyButton text={text} isSmall={false} />
        <LinkButton href={url} download={fileName}>
          Download
        </LinkButton>
        <Button look="primary" onClick={onClose}>
          I have saved it
        </Button>
      </DialogActions>
    </Dialog>
  );
}
