type Tool = { readonly command?: string; readonly file?: string; readonly module?: string };
export const isInstalled: (tool: Tool) => boolean;
