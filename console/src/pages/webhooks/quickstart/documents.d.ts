// What vite.config.ts makes of a document.
declare module '*/receiving-webhooks.md?code' {
  type Section = 'Python' | 'Go' | 'Java' | 'Rust' | 'PHP' | 'Ruby' | 'C#';
  export const code: Readonly<Record<Section, string>>;
}
declare module '*?raw' {
  const text: string;
  export default text;
}
