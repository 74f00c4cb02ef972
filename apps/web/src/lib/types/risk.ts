// What attackers can do.

export interface Share {
  count: number;
  share: number;
  low?: number;
  high?: number;
}

export interface RiskPoint {
  known: number;
  singled_out: Share;
  /** Fewer people than `below` fit. */
  below: Share;
  expected?: number | null;
}

export interface RiskCurve {
  people: number;
  targets: number;
  sampled: boolean;
  below: number;
  points: RiskPoint[];
}

export interface PlayAnswer {
  matches: number;
  of: number;
  shared_items: { item: string; people: number }[];
  sensitive?: { value: string; people: number; share: number }[] | null;
}
