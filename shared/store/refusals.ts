/** Another writer changed the item first, so nothing was written. Read it again and decide anew. */
export class RaceLost extends Error {
  override readonly name = 'RaceLost';
}

/** There is an item by this id already, so nothing was written. */
export class AlreadyExists extends Error {
  override readonly name = 'AlreadyExists';
}
