/** What the work resolves to, or what `late` answers when it takes longer. The work goes on. */
export async function within<T>(ms: number, work: Promise<T>, late: () => T): Promise<T> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, Math.max(0, ms));
  return Promise.race([work, promise.then(late)]).finally(() => clearTimeout(timer));
}
