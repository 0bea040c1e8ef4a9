import { mountReaders } from '../../../../../shared/ui/browser/reader/mount.ts';

// The page of a document: its file is shown in its place.
mountReaders(document);
