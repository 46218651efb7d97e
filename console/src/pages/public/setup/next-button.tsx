// On to the next step, with or without this one.
import { Button } from '#ui/button.tsx';
import { type Made, type Step, useProgress } from './steps.ts';

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
  made,
  look = 'primary',
  children,
}: {
  to: Step;
  made?: Made;
  look?: 'primary' | 'secondary';
  children: string;
}) {
  const progress = useProgress();
  return (
    <div>
      <Button look={look} onClick={() => progress.to(to, made)}>
        {children}
      </Button>
    </div>
  );
}
