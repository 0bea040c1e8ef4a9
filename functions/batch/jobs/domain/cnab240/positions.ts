/** The first and the last column of a field: 1-based, both inclusive, counted in bytes. */
export type Field = readonly [first: number, last: number];

/** A record has 240 bytes, whatever characters they stand for. */
export const RECORD_BYTES = 240;

/**
 * The layout of Banco do Brasil (001), and of no other bank: Itaú SISPAG has the value of segment O in 122-136.
 * docs/cnab240.md has the same table, and says which fields are checked.
 */
export const POSITIONS = {
  everyRecord: { bank: [1, 3], lot: [4, 7], type: [8, 8] },
  fileHeader: {
    payerIdType: [18, 18],
    payerId: [19, 32],
    agreement: [33, 52],
    branch: [53, 57],
    account: [59, 70],
    name: [73, 102],
    remittanceCode: [143, 143],
    date: [144, 151],
    time: [152, 157],
    sequence: [158, 163],
    layout: [164, 166],
  },
  lotHeader: {
    operation: [9, 9],
    service: [10, 11],
    form: [12, 13],
    layout: [14, 16],
    payerIdType: [18, 18],
    payerId: [19, 32],
    agreement: [33, 52],
    branch: [53, 57],
    account: [59, 70],
    name: [73, 102],
  },
  detail: { sequence: [9, 13], segment: [14, 14], movement: [15, 15], instruction: [16, 17] },
  segmentA: {
    clearing: [18, 20],
    bank: [21, 23],
    branch: [24, 28],
    branchCheckDigit: [29, 29],
    account: [30, 41],
    accountCheckDigit: [42, 42],
    name: [44, 73],
    paymentDate: [94, 101],
    value: [120, 134],
  },
  segmentB: { idType: [18, 18], id: [19, 32] },
  segmentJ: {
    barcode: [18, 61],
    name: [62, 91],
    dueDate: [92, 99],
    titleValue: [100, 114],
    paymentDate: [145, 152],
    value: [153, 167],
  },
  segmentJ52: { optionCode: [18, 19] },
  segmentO: {
    barcode: [18, 61],
    name: [62, 91],
    dueDate: [92, 99],
    paymentDate: [100, 107],
    value: [108, 122],
  },
  segmentN: {
    payerReference: [18, 37],
    bankReference: [38, 57],
    taxpayer: [58, 87],
    paymentDate: [88, 95],
    value: [96, 110],
    revenueCode: [111, 116],
    idType: [117, 118],
    id: [119, 132],
    taxCode: [133, 134],
  },
  lotTrailer: { recordCount: [18, 23], valueSum: [24, 41] },
  fileTrailer: { lotCount: [18, 23], recordCount: [24, 29] },
} as const satisfies Readonly<Record<string, Readonly<Record<string, Field>>>>;
