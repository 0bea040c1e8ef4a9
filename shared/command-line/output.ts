/** Where a command prints: the terminal, or a test's list. */
export type Output = { readonly print: (text: string) => void; readonly printError: (text: string) => void };

export const CONSOLE: Output = {
  print: (text) => console.log(text),
  printError: (text) => console.error(text),
};
