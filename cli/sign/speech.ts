/** Where a command's words go: the terminal, or a test. */
export type Speech = { readonly say: (text: string) => void; readonly complain: (text: string) => void };

export const CONSOLE: Speech = {
  say: (text) => console.log(text),
  complain: (text) => console.error(text),
};
