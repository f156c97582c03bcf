-- description: Hours of UTC days with the most events between two times, the busiest first.
-- parameter: start x
-- parameter: end x
SELECT
    start - start % 3600000000 AS hour,
    sum(count) AS events,
    sum(duration) AS seconds
FROM buckets
WHERE start >= :start AND start < :end
GROUP BY hour
ORDER BY events DESC, hour
