// On to the next step, with or without this one.
import { Button } from '#ui/button.tsx';
import { type Step, useProgress } from './steps.ts';

export function Skip({ to }: { to: Step }) {
  const progress = useProgress();
  return (
    <Button look="plain" onClick={() => progress.to(to)}>
      Skip this step
    </Button>
  );
}

export function Next({
  to,
  look = 'primary',
  children,
}: {
  to: Step;
  look?: 'primary' | 'secondary';
  children: string;
}) {
  const progress = useProgress();
  return (
    <div>
      <Button look={look} onClick={() => progress.to(to)}>
        {children}
      </Button>
    </div>
  );
}
