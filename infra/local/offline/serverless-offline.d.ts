// What we use of serverless-offline, which has no types.
declare module 'serverless-offline' {
  type Options = Readonly<Record<string, import('./options.ts').OptionDefinition>>;
  type Command = { options: Options };
  type Request = { readonly headers: Record<string, string | undefined> };
  type Toolkit = { readonly continue: symbol };

  export default class ServerlessOffline {
    readonly commands: { readonly offline: Command & { readonly commands: { readonly start: Command } } };
    constructor(framework: object, cliOptions: object, utils: object);
    /** Of both `offline` and `offline start`. */
    start(): Promise<void>;
    /** Ends the process unless told not to. */
    end(skipExit?: boolean): Promise<void>;
    internals(): {
      getApiGatewayServer(): {
        ext(event: 'onRequest', handle: (request: Request, toolkit: Toolkit) => symbol): void;
      };
    };
  }
}
