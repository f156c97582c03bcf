// SPDX-License-Identifier: MIT

extension HTMLReport {
    /// One hue and shades of grey: what differs is said by length, place and lightness, which paper keeps.
    static let style: Markup = """
        :root {
          --page: #f5f6f6; --card: #ffffff; --ink: #182022; --soft: #566366; --line: #dfe4e4; --track: #eef1f1;
          --accent: #17696f; --rest: #7f8c8e; --mean: #182022;
          --h0: #eef1f1; --h1: #cfe3e3; --h2: #9fc9ca; --h3: #62a4a7; --h4: #2b7a7f; --h5: #0d474c;
        }
        @media (prefers-color-scheme: dark) {
          :root {
            --page: #121617; --card: #1a2021; --ink: #e6ebeb; --soft: #a2afb0; --line: #2f383a; --track: #252d2e;
            --accent: #5fb8bd; --rest: #7d8b8d; --mean: #ffffff;
            --h0: #252d2e; --h1: #23474a; --h2: #2a6468; --h3: #38888d; --h4: #5fb8bd; --h5: #b4e6e8;
          }
        }
        * { box-sizing: border-box; }
        html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
        body {
          margin: 0 auto; padding: clamp(16px, 4vw, 48px); max-width: 1200px; background: var(--page); color: var(--ink);
          font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, Cantarell, "Noto Sans", "DejaVu Sans", sans-serif;
        }
        header { margin-bottom: 28px; }
        h1 { margin: 0; font-size: clamp(26px, 4.4vw, 40px); font-weight: 650; line-height: 1.15; letter-spacing: -0.02em; }
        h2 { margin: 0; font-size: 17px; font-weight: 650; line-height: 1.3; }
        p { margin: 0; }
        .kicker { margin-bottom: 6px; color: var(--accent); font-size: 13px; font-weight: 650; }
        .meta { margin-top: 10px; color: var(--soft); }
        .meta span + span::before { content: "· "; }
        .hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
        .tiles { display: grid; grid-template-columns: repeat(4, 1fr); gap: 16px; margin: 0 0 16px; }
        .tiles div, .card, .empty { min-width: 0; border: 1px solid var(--line); border-radius: 10px; background: var(--card); }
        .tiles div { padding: 16px 20px; }
        dt { color: var(--soft); font-size: 14px; }
        dd { margin: 0; }
        .figure {
          display: block; font-size: clamp(24px, 3.2vw, 32px); font-weight: 650; line-height: 1.3; letter-spacing: -0.01em;
          white-space: nowrap;
        }
        .note { color: var(--soft); font-size: 13px; }
        .card { margin-bottom: 16px; padding: 20px; }
        .pair { display: grid; grid-template-columns: 1fr 1fr; gap: 16px; align-items: start; margin-bottom: 16px; }
        .pair .card { margin-bottom: 0; height: 100%; }
        .lead { margin-bottom: 16px; color: var(--soft); font-size: 14px; }
        svg { display: block; width: 100%; overflow: visible; }
        svg[width] { display: inline-block; width: auto; vertical-align: -2px; }
        text { fill: var(--soft); font-size: 12px; font-variant-numeric: tabular-nums; }
        .middle { text-anchor: middle; }
        .end { text-anchor: end; }
        .grid line { stroke: var(--line); stroke-width: 1; shape-rendering: crispEdges; }
        .plot { display: grid; grid-template-columns: 52px 1fr; column-gap: 8px; }
        .plot:has(.days) { grid-template-columns: 32px 1fr; }
        .bar { fill: var(--accent); }
        .rest { fill: var(--rest); }
        .track { fill: var(--track); }
        .slot { fill: transparent; }
        g:hover > .slot { fill: var(--track); }
        .bars { display: grid; gap: 12px; margin: 0; padding: 0; list-style: none; }
        .bars li { display: grid; min-width: 0; grid-template-columns: minmax(0, 1fr) auto; gap: 4px 12px; align-items: baseline; }
        .bars svg { grid-column: 1 / -1; }
        .name { overflow: hidden; min-width: 0; text-align: left; text-overflow: ellipsis; white-space: nowrap; }
        .value { font-variant-numeric: tabular-nums; white-space: nowrap; }
        .share { display: inline-block; min-width: 36px; color: var(--soft); text-align: right; }
        .trends { grid-template-columns: 1fr 1fr; column-gap: 40px; }
        .trends .share { min-width: 168px; margin-left: 10px; text-align: left; }
        .mean { fill: var(--mean); stroke: var(--mean); stroke-width: 2.5; }
        .key { margin-top: 14px; color: var(--soft); font-size: 13px; }
        .key svg, .legend svg { margin-right: 4px; }
        .key svg:not(:first-child) { margin-left: 14px; }
        .heat rect { stroke: var(--card); stroke-width: 2; }
        .h0 { fill: var(--h0); } .h1 { fill: var(--h1); } .h2 { fill: var(--h2); }
        .h3 { fill: var(--h3); } .h4 { fill: var(--h4); } .h5 { fill: var(--h5); }
        .legend {
          display: flex; flex-wrap: wrap; gap: 4px 16px; margin: 12px 0 0; padding: 0; color: var(--soft); font-size: 13px;
          list-style: none; font-variant-numeric: tabular-nums;
        }
        .lanes { display: grid; gap: 6px; }
        .lane { display: grid; grid-template-columns: minmax(0, 220px) 1fr; gap: 2px 16px; align-items: center; }
        .session { fill: var(--accent); stroke: var(--accent); stroke-width: 1.5; }
        .session:hover { fill: var(--ink); stroke: var(--ink); }
        details { margin-top: 16px; color: var(--soft); font-size: 14px; }
        summary { width: fit-content; cursor: pointer; }
        summary:hover { color: var(--ink); }
        :focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 2px; }
        .scroll { overflow-x: auto; margin-top: 8px; }
        table { width: 100%; border-collapse: collapse; color: var(--ink); font-variant-numeric: tabular-nums; }
        caption { padding-bottom: 4px; color: var(--soft); text-align: left; }
        th, td { padding: 5px 8px; border-bottom: 1px solid var(--line); text-align: right; white-space: nowrap; }
        th { font-weight: 500; }
        th:first-child { padding-left: 0; text-align: left; white-space: normal; overflow-wrap: anywhere; }
        th:has(bdi) { min-width: 150px; }
        thead th { color: var(--soft); }
        .empty { padding: clamp(40px, 9vw, 96px) 20px; margin-bottom: 16px; text-align: center; }
        .empty svg { margin-bottom: 16px; fill: none; stroke: var(--rest); stroke-width: 2.5; stroke-linecap: round; }
        .empty p { color: var(--soft); }
        footer { margin-top: 24px; color: var(--soft); font-size: 13px; }
        footer p { max-width: 75ch; }
        @media (max-width: 800px) {
          .tiles { grid-template-columns: 1fr 1fr; gap: 12px; }
          .pair, .trends { grid-template-columns: minmax(0, 1fr); }
        }
        @media (max-width: 640px) {
          .minor { display: none; }
          .tiles div { padding: 12px 14px; }
          .card { padding: 16px 14px; }
          .lane { grid-template-columns: minmax(0, 1fr); }
          .trends li { grid-template-columns: minmax(0, 1fr); }
          .heat rect { stroke-width: 1.5; }
        }
        @media print {
          @page { size: A4; margin: 14mm; }
          :root {
            --page: #ffffff; --card: #ffffff; --ink: #000000; --soft: #404040; --line: #b8b8b8; --track: #ededed;
            --accent: #3a3a3a; --rest: #8c8c8c; --mean: #000000;
            --h0: #f4f4f4; --h1: #d6d6d6; --h2: #aeaeae; --h3: #7f7f7f; --h4: #4c4c4c; --h5: #101010;
          }
          body { max-width: none; padding: 0; font-size: 12px; line-height: 1.35; -webkit-print-color-adjust: exact; print-color-adjust: exact; }
          h1 { font-size: 24px; }
          .tiles { grid-template-columns: repeat(4, 1fr); gap: 8px; }
          .figure { font-size: 20px; }
          .card, .tiles div, .bars li, .empty { break-inside: avoid; }
          .bars { gap: 4px; }
          .trends { grid-template-columns: 1fr 1fr; gap: 4px 24px; }
          .lanes { gap: 3px; }
          .lead { margin-bottom: 8px; }
          header { margin-bottom: 14px; }
          .pair { grid-template-columns: 1fr 1fr; gap: 12px; }
          .card, .pair { margin-bottom: 10px; }
          .card { padding: 12px 14px; }
          .tiles { margin-bottom: 10px; }
          .tiles div { padding: 8px 14px; }
          details { display: none; }
        }
        """
}
