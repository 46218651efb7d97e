// What vite.config.ts makes of a document.
declare module '*/receiving-webhooks.md?code' {
  export const code: Readonly<Record<'Python' | 'Go' | 'Java' | 'Rust', string>>;
}
