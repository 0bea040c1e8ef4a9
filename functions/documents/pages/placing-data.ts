// For scripts of pages too, so that it imports nothing.

/** As the contract names them. */
export type MarkType = 'SignatureVisualRepresentation' | 'SignatureInitials' | 'AuthenticationStamp';

/** What the page that places marks is given, and its script reads. */
export type PlacingData = {
  readonly files: readonly PlacedFile[];
  readonly actions: readonly PlacedAction[];
  readonly marks: readonly GivenMark[];
  readonly maxMarks: number;
};

type PlacedFile = {
  /** Of its upload. */
  readonly id: string;
  readonly name: string;
  readonly address: string;
  readonly mimeType: string;
  readonly bytes: number;
};

export type PlacedAction = {
  readonly name: string;
  readonly kind: 'signature' | 'approval';
  readonly hasInitials: boolean;
};

/** A mark on a file, by the number of its action. Null: on every file. */
export type SentMark = {
  readonly action: number;
  readonly type: MarkType;
  readonly uploadId: string | null;
  readonly pageNumber: number;
  readonly topLeftX: number;
  readonly topLeftY: number;
  readonly width: number;
  readonly height: number;
};

/** A mark that a request named, from either corner. */
export type GivenMark = SentMark & { readonly isFromBottom?: boolean };
