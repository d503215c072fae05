/** Units that make a number an exact token ("512 MB", "20 ms", "3.5 kg"), as a pattern; longer ones first. */
export const UNITS =
  '[KMGT]i?B|[kMG]bit|[kMG]bps|kB|bytes?|MHz|GHz|kHz|Hz|kWh|kW|fps|rpm|tokens?|[mnµ]s|min|mins|hrs?|[kmcµ]?m|[kmµ]?g|mph|km/h|lbs?|oz|px|pt|dpi|°[CF]|%|€|USD|EUR|CNY|RMB|元|dollars?|euros?';
