// Runs passes one at a time: soon after a wake, or after the pause that the last pass asked for.

/** The shortest time between two passes: under load each pass then does more. */
const passEveryMs = 10;
const faultPauseMs = 1_000;

type Options = {
  /** Returns how many milliseconds later the next pass is due without a wake. */
  pass: () => Promise<number>;
  onFault: (error: unknown) => void;
};

/**
 *              wake, timer            pass ends
 *   waiting ----------------> passing -----------> waiting
 *
 * A wake during a pass asks for another pass right after it. After a fault no pass begins for a second.
 */
export function createPacer({ pass, onFault }: Options) {
  let running = false;
  let timer: NodeJS.Timeout | undefined;
  let passing: Promise<void> | undefined;
  let wanted = false;
  let lastPassAt = Number.NEGATIVE_INFINITY;
  let pausedUntil = Number.NEGATIVE_INFINITY;

  function schedule(afterMs: number): void {
    clearTimeout(timer);
    timer = setTimeout(begin, Math.max(0, afterMs, pausedUntil - performance.now()));
  }

  function begin(): void {
    lastPassAt = performance.now();
    wanted = false;
    passing = pass()
      .catch((error) => {
        onFault(error);
        pausedUntil = performance.now() + faultPauseMs;
        return faultPauseMs;
      })
      .then((pauseMs) => {
        passing = undefined;
        if (running) schedule(wanted ? passEveryMs : Math.max(passEveryMs, pauseMs));
      });
  }

  function wake(): void {
    wanted = true;
    if (running && passing === undefined) schedule(passEveryMs - (performance.now() - lastPassAt));
  }

  return {
    start() {
      running = true;
      wake();
    },
    /** There may be something to do. */
    wake,
    /** Starts no more passes. Resolves when the running pass has ended. */
    async stop() {
      running = false;
      clearTimeout(timer);
      await passing;
    },
  };
}
