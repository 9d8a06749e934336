// Draws the plots of a report. Each .plot is followed by a script block with its data (figure.cpp).
"use strict";
(() => {
  // Okabe and Ito's colours, strongest first; a cloud behind lines is grey.
  const kColours = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"];
  const kCloud = "#7d8b9a";
  const kPaperWidth = 670, kPaperHeight = 285;  // pixels of an A4 page's text width
  const kDrawAtOnce = 12;

  // Of two plots' worth of names, "load.velocity" owns the band "load.velocity 95 %".
  function owner(band, series) {
    const lines = series.filter((one) => one.kind !== "band");
    return lines.find((one) => band.name.startsWith(one.name)) ||
           lines.find((one) => one.kind === "line" && series.indexOf(one) > series.indexOf(band));
  }

  function colours(series) {
    const colour = new Map();
    const lines = series.some((one) => one.kind === "line");
    let next = 0;
    const take = () => kColours[next++ % kColours.length];
    for (const one of series) {
      if (one.kind === "line" || one.kind === "bars") colour.set(one, take());
      if (one.kind === "markers") colour.set(one, lines && one.x.length > 200 ? kCloud : take());
    }
    for (const one of series)
      if (one.kind === "band") colour.set(one, colour.get(owner(one, series)) || take());
    return colour;
  }

  // A closed outline for each stretch without a gap.
  function outline(band) {
    const x = [], y = [];
    let start = 0;
    for (let i = 0; i <= band.x.length; ++i) {
      if (i < band.x.length && band.y[i] !== null && band.upper[i] !== null) continue;
      for (let k = start; k < i; ++k) { x.push(band.x[k]); y.push(band.y[k]); }
      for (let k = i - 1; k >= start; --k) { x.push(band.x[k]); y.push(band.upper[k]); }
      x.push(null);
      y.push(null);
      start = i + 1;
    }
    return {x, y};
  }

  function trace(one, colour) {
    const common = {type: "scatter", name: one.name, visible: one.hidden ? "legendonly" : true};
    if (one.kind === "band")
      return {...common, ...outline(one), mode: "lines", fill: "toself", fillcolor: colour + "38",
              line: {width: 0, color: colour}, hoverinfo: "skip"};
    if (one.kind === "bars")
      return {...common, type: "bar", x: one.labels, y: one.y, marker: {color: colour},
              ...(one.reach && {error_y: {type: "data", array: one.reach, thickness: 1.5, width: 3}})};
    const crowded = one.x.length > 500;
    if (one.kind === "markers")
      return {...common, x: one.x, y: one.y, mode: "markers",
              marker: {color: colour, size: crowded ? 3.5 : 7, opacity: crowded ? 0.4 : 0.9}};
    return {...common, x: one.x, y: one.y, mode: "lines", connectgaps: false,
            line: {color: colour, width: crowded ? 1.4 : 2.4, dash: one.dashed ? "dash" : "solid"}};
  }

  // Bands lie under clouds, clouds under lines.
  function traces(figure) {
    const colour = colours(figure.series);
    const layer = {band: 0, markers: 1, line: 2, bars: 2};
    return [...figure.series].sort((a, b) => layer[a.kind] - layer[b.kind])
        .map((one) => trace(one, colour.get(one)));
  }

  function axis(label, type) {
    return {title: {text: label, standoff: 10, font: {size: 13}}, type, automargin: true, exponentformat: "power",
            hoverformat: ".5~g", gridcolor: "#e8ecf0", zerolinecolor: "#b3bdc8", linecolor: "#8794a2",
            showline: true, ticks: "outside", tickcolor: "#8794a2", ticklen: 4};
  }

  function layout(figure) {
    const overTime = figure.series.every((one) => one.time);
    const bars = figure.series.some((one) => one.kind === "bars");
    return {
      autosize: true,
      margin: {l: 60, r: 36, t: 12, b: 48},
      modebar: {orientation: "v"},  // beside the curves: above them it would cover the legend
      font: {family: "system-ui, 'Segoe UI', Roboto, 'Liberation Sans', Arial, sans-serif", size: 13, color: "#1c2733"},
      paper_bgcolor: "#fff", plot_bgcolor: "#fff",
      xaxis: axis(figure.x_label, bars ? "category" : figure.logarithmic_x ? "log" : "linear"),
      yaxis: axis(figure.y_label, "linear"), barmode: "group",
      hovermode: overTime ? "x unified" : "closest",
      hoverlabel: {namelength: -1},
      showlegend: figure.series.length > 1,
      legend: {orientation: "h", x: 0, xanchor: "left", y: 1.02, yanchor: "bottom", itemsizing: "constant"},
    };
  }

  const kOptions = {
    responsive: true, displaylogo: false,
    modeBarButtonsToRemove: ["select2d", "lasso2d", "autoScale2d"],
  };

  const waiting = new Set(document.querySelectorAll(".plot"));
  function draw(place) {
    if (!waiting.delete(place)) return;
    const figure = JSON.parse(place.nextElementSibling.textContent);
    Plotly.newPlot(place, traces(figure), layout(figure), kOptions);
  }
  const drawAll = () => [...waiting].forEach(draw);

  const plots = [...waiting];
  if (plots.length <= kDrawAtOnce) {
    drawAll();
  } else {
    const near = new IntersectionObserver(
        (entries) => entries.filter((entry) => entry.isIntersecting).forEach((entry) => draw(entry.target)),
        {rootMargin: "600px"});
    plots.forEach((place) => near.observe(place));
  }

  // Paper has another width than the screen, and Plotly's drawings do not scale by themselves.
  addEventListener("beforeprint", () => {
    drawAll();
    plots.forEach((place) => Plotly.relayout(place, {width: kPaperWidth, height: kPaperHeight, autosize: false}));
  });
  addEventListener("afterprint", () => {
    plots.forEach((place) => Plotly.relayout(place, {width: null, height: null, autosize: true}));
  });
})();
